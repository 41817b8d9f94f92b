// Makes the empty files that a new warehouse is copied from, because running their statements takes a tenth of a first sync.

import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DEFAULT_STORAGE_VERSION } from '../dist/src/publish/publish.js';
import { createViews, publishedTemplate } from '../dist/src/publish/views.js';
import { openDatabase } from '../dist/src/warehouse/database.js';
import { migrate } from '../dist/src/warehouse/migrate.js';
import { TEMPLATE_FOLDER, templatePath } from '../dist/src/warehouse/template.js';
import { workingTemplate } from '../dist/src/warehouse/working-file.js';

mkdirSync(TEMPLATE_FOLDER, { recursive: true });
const made = [await makeWorking(), await makePublished()];
for (const file of readdirSync(TEMPLATE_FOLDER)) {
  // Other endings belong to a build that runs at the same time.
  if (file.endsWith('.duckdb') && !made.includes(file)) rmSync(join(TEMPLATE_FOLDER, file), { force: true });
}

async function makeWorking() {
  return await make(workingTemplate(), async (connection, from, to) => {
    await connection.run(`copy from database ${from} to ${to}`);
  });
}

async function makePublished() {
  return await make(publishedTemplate(DEFAULT_STORAGE_VERSION), async (connection, from, to) => {
    await connection.run(`use ${from}`);
    await createViews(connection);
    await connection.run(`use ${to}`);
    await connection.run(`copy from database ${from} to ${to} (schema)`);
  });
}

/** Through a copy, so that nothing is left of what one migration made and a later one replaced. */
async function make(template, fill) {
  const path = templatePath(template);
  const temporary = `${path}.${process.pid}`;
  const database = await openDatabase({ path: temporary, storageVersion: template.storageVersion });
  try {
    const connection = await database.connect();
    const [{ name }] = await connection.rows('select current_database() as name');
    const own = `"${name}"`;
    await connection.run("attach ':memory:' as migrated");
    await connection.run('use migrated');
    await migrate(connection, { now: 0 });
    await connection.run(`use ${own}`);
    await fill(connection, 'migrated', own);
    await connection.run('detach migrated');
  } finally {
    database.close();
  }
  renameSync(temporary, path);
  return basename(path);
}
