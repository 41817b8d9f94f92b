import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cli } from './run.ts';
import { openFolder } from '../support/folder.ts';
import { readExamples } from '../../src/guide/examples.ts';
import { openPublishedFile } from '../../src/publish/published-file.ts';

it('answerlake demo shows a year of three projects without a key and answers every example', async () => {
  const directory = join(openFolder(), 'demo');
  const argv = ['demo', '--directory', directory, '--today', '2025-06-30', '--log-level', 'error'];
  const first = await cli(argv);
  expect(first.code).toBe(0);
  expect(first.stdout).toMatch(/^Done: 3 projects, 2025-06-30/);
  expect(first.stdout).toMatch(/│ visibility +│ +\d+,\d+ │/);
  expect(first.stdout).toMatch(/daily_kpis around a completed action, after which visibility rose:\n┌/);
  expect(first.stdout).toContain(`The file:   ${directory}/data/answers.duckdb`);
  expect(first.stdout).toContain(`The report: ${directory}/report.html`);
  expect(readFileSync(join(directory, 'report.html'), 'utf8')).toMatch(/^<!doctype html>/i);
  expect(readFileSync(join(directory, 'answerlake.yaml'), 'utf8')).toMatch(/start_date: 2024-07-01/);
  await using file = await openPublishedFile(join(directory, 'data/answers.duckdb'), {
    signal: new AbortController().signal,
  });
  const empty = [];
  for (const { number, name, sql } of readExamples())
    if ((await file.query(sql)).rows.length === 0) empty.push(`${String(number)} ${name}`);
  expect(empty).toEqual([]);
  const second = await cli([...argv, '--json']);
  expect(JSON.parse(second.stdout)).toMatchObject({
    ok: true,
    rows_inserted: 0,
    rows_updated: 0,
    rows_deleted: 0,
  });
});

it('answerlake demo writes into no folder that has a configuration of its own', async () => {
  const directory = openFolder();
  const path = join(directory, 'answerlake.yaml');
  writeFileSync(path, 'version: 1\n');
  const { code, stderr } = await cli(['demo', '--directory', directory]);
  expect(code).toBe(2);
  expect(stderr).toContain('nothing was written');
  expect(readFileSync(path, 'utf8')).toBe('version: 1\n');
  expect(existsSync(join(directory, 'data'))).toBe(false);
});
