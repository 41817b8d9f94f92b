import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DEFAULT_STORAGE_VERSION } from '../../src/publish/publish.ts';
import { publishedTemplate } from '../../src/publish/views.ts';
import { openDatabase } from '../../src/warehouse/database.ts';
import { migrate } from '../../src/warehouse/migrate.ts';
import { templatePath } from '../../src/warehouse/template.ts';
import {
  openWorkingFile,
  WORKING_STORAGE_VERSION,
  workingTemplate,
} from '../../src/warehouse/working-file.ts';
import { Scratch } from '../support/folder.ts';
import { contentOf } from './file-content.ts';
import { NOW, withRig } from './rig.ts';
import { rowsOfFile } from '../support/file-reader.ts';

/** The oldest storage version of which the build makes no template. */
const OTHER_STORAGE_VERSION = 'v1.2.0';

const isBuilt = existsSync('dist/src');

it.runIf(isBuilt)('the build made the templates that this program looks for', () => {
  const templates = [workingTemplate(), publishedTemplate(DEFAULT_STORAGE_VERSION)];
  expect(templates.filter((template) => !existsSync(templatePath(template)))).toEqual([]);
});

it.runIf(isBuilt)(
  'a working file that is copied is the one that migrations make, and says when that was',
  async () => {
    using scratch = new Scratch();
    const working = await openWorkingFile({ publishedPath: scratch.path('answers.duckdb'), now: NOW });
    working.database.close();
    const migrated = await openDatabase({
      path: scratch.path('migrated.duckdb'),
      storageVersion: WORKING_STORAGE_VERSION,
    });
    await migrate(await migrated.connect(), { now: NOW });
    migrated.close();
    expect(await contentOf(working.path)).toEqual(await contentOf(scratch.path('migrated.duckdb')));
  },
);

it.runIf(isBuilt)(
  'a file published from a template is the one that the statements make, without a free block',
  async () => {
    await withRig(async ({ scratch, target, publish }) => {
      const fromTemplate = await publish();
      const fromStatements = await publish({
        targetPath: scratch.path('statements.duckdb'),
        storageVersion: OTHER_STORAGE_VERSION,
      });
      expect(fromStatements.tables).toEqual(fromTemplate.tables);
      expect(fromStatements.checks).toEqual(fromTemplate.checks);
      const { 'meta.settings': ours, ...expected } = await contentOf(scratch.path('statements.duckdb'));
      const { 'meta.settings': theirs, ...content } = await contentOf(target);
      expect(content).toEqual(expected);
      // The storage version is said there.
      expect(theirs).not.toBe(ours);
      await expect(rowsOfFile(target, 'select free_blocks from pragma_database_size()')).resolves.toEqual([
        { free_blocks: 0 },
      ]);
    });
  },
);

it('a working file with a table of its own is published all the same', async () => {
  await withRig(async ({ target, connection, publish }) => {
    await connection.run("create table core.extra (id varchar); comment on table core.extra is 'one more'");
    await connection.run("comment on column core.extra.id is 'its id'; insert into core.extra values ('x')");
    const { tables } = await publish();
    expect(tables['core.extra']).toBe(1);
    expect(JSON.parse((await contentOf(target))['core.extra'] ?? '')).toMatchObject([{ n: 1 }]);
  });
});
