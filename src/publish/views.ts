import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Connection } from '../warehouse/connection.ts';
import { readSqlFiles, SQL_FOLDER } from '../warehouse/sql-files.ts';
import type { Template } from '../warehouse/template.ts';
import { transaction } from '../warehouse/transaction.ts';
import { expandView, type ViewParts } from './view-templates.ts';

/** One file of `sql/views`, with everything put in that its template names. */
export interface ViewFile {
  name: string;
  sql: string;
}

/** The view files in order of dependency. */
export function readViewFiles(): ViewFile[] {
  const parts = readParts();
  return readSqlFiles('views').map(({ name, sql }) => ({ name, sql: expandView(sql, parts) }));
}

function readParts(): ViewParts {
  const folder = join(SQL_FOLDER, 'view-parts');
  const texts = new Map(
    readdirSync(folder)
      .filter((file) => file.endsWith('.sql'))
      .map((file) => [basename(file, '.sql'), withoutHeader(readFileSync(join(folder, file), 'utf8'))]),
  );
  const lines = texts.get('comments') ?? '';
  const comments = [...lines.matchAll(/^(\w+) is ('.*');$/gm)].map(
    ([, name = '', text = '']) => [name, text] as const,
  );
  return { texts, comments: new Map(comments) };
}

function withoutHeader(text: string): string {
  return text.replace(/^(--.*\n)+/, '');
}

/** Creates every view of `sql/views`, with comments, in the current database. */
export async function createViews(connection: Connection): Promise<void> {
  // One transaction: hundreds of comments would each wait for the disk.
  await transaction(connection, async () => {
    for (const view of readViewFiles()) await connection.run(view.sql);
  });
}

/** A published file without a row. */
export function publishedTemplate(storageVersion: string): Template {
  const files = [...readSqlFiles('migrations'), ...readViewFiles()];
  return { name: 'published', storageVersion, sql: files.map(({ sql }) => sql) };
}

/** Changes when any view changes, so a program with other views publishes again although no row changed. */
export function viewsDigest(): string {
  const hash = createHash('sha256');
  for (const view of readViewFiles()) hash.update(view.sql);
  return hash.digest('hex');
}
