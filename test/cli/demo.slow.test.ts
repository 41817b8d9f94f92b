import { execFile } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { cli, fails } from './run.ts';
import { terminalPicture } from '../docs/terminal-picture.ts';
import { BUILT } from '../support/program.ts';
import { openFolder } from '../support/folder.ts';
import { readExamples } from '../../src/guide/examples.ts';
import { openPublishedFile } from '../../src/publish/published-file.ts';

it('answerlake demo says each of its steps and what it took, and the README shows what it prints', async () => {
  const folder = realpathSync(openFolder());
  const directory = join(folder, 'demo');
  const env = { ...process.env, npm_command: 'run' };
  // Both streams in the order in which people see them.
  const argsOfBash = ['-c', '"$0" "$1" demo --today 2025-06-30 2>&1', process.execPath, BUILT];
  const printed = (await promisify(execFile)('bash', argsOfBash, { cwd: folder, env })).stdout;
  expect(printed.match(/^\d\/4 {2}.*$/gm)).toHaveLength(4);
  expect(printed.match(/^ {5}[\d,]+ requests, [\d,]+ new rows/gm)).toHaveLength(2);
  const lines = `$ npm ci && npm run demo\n\n${printed.trimEnd()}`
    .replaceAll(`${folder}/`, '')
    .replace(/(?<=127\.0\.0\.1:)\d+/, '8787')
    .replaceAll(/(?<=^ {5}.* (?:rows|changed), ).*$/gm, '…')
    .split('\n');
  expect(lines).toContain('The report: demo/report.html');
  // What is clear was planted, and nothing else is shown.
  expect(printed.match(/│ (large|small|nothing) +│$/gm)?.map((text) => text.slice(2, 7))).toEqual(['large']);
  expect(printed).toContain('of which 1 clear.');
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
  await expect(terminalPicture(lines)).toMatchFileSnapshot('../../docs/images/demo.svg');
  const size = /answers are about ([\d,]+) requests, ([\d,]+) rows and a file of (\d+) MB/.exec(
    readFileSync('README.md', 'utf8'),
  );
  const count = (text = ''): number => Number(text.replaceAll(',', ''));
  const syncs = [...printed.matchAll(/^ {5}([\d,]+) requests, ([\d,]+) new rows/gm)];
  expect(syncs.length).toBe(2);
  for (const place of [1, 2]) {
    const real = syncs.reduce((sum, found) => sum + count(found[place]), 0);
    expect(count(size?.[place]) / real).toBeCloseTo(1, 1);
  }
  const megabytes = statSync(join(directory, 'data', 'answers.duckdb')).size / 1e6;
  expect(Number(size?.[3]) / megabytes).toBeCloseTo(1, 0);
  expect(readFileSync(join(directory, 'report.html'), 'utf8')).toMatch(/^<!doctype html>/i);
  expect(readFileSync(join(directory, 'answerlake.yaml'), 'utf8')).toMatch(/start_date: 2024-07-01/);
  await using file = await openPublishedFile(join(directory, 'data/answers.duckdb'), {
    signal: new AbortController().signal,
  });
  const empty = [];
  for (const { number, name, sql } of readExamples())
    if ((await file.query(sql)).rows.length === 0) empty.push(`${String(number)} ${name}`);
  expect(empty).toEqual([]);
  const argv = ['demo', '--directory', directory, '--today', '2025-06-30'];
  const second = await cli([...argv, '--json', '--log-level', 'error']);
  // What is new are answers of later hours of its day.
  expect(second.report).toMatchObject({
    ok: true,
    tables: { prompts: expect.any(Number) as number },
    rows_updated: 0,
    rows_deleted: 0,
  });
});

it('answerlake demo writes into no folder that has a configuration of its own', async () => {
  const directory = openFolder();
  const path = join(directory, 'answerlake.yaml');
  writeFileSync(path, 'version: 1\n');
  expect(await cli(['demo', '--directory', directory])).toMatchObject(fails(2, 'nothing was written'));
  expect(readFileSync(path, 'utf8')).toBe('version: 1\n');
  expect(existsSync(join(directory, 'data'))).toBe(false);
});
