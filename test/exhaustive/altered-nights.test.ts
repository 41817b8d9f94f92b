import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCase } from '../attack/attack-case.ts';
import { dayOfNight } from '../attack/attacked-api.ts';
import {
  openAttackedWarehouse,
  type AttackedWarehouse,
  type NightReport,
} from '../attack/attacked-warehouse.ts';
import { judgeHealed, judgeNight } from '../attack/judge.ts';
import { keyFoundIn } from '../attack/key-search.ts';
import { untrueTables } from '../attack/reference-truth.ts';
import { valueAlterations } from '../attack/value-alterations.ts';
import { openFolder } from '../support/folder.ts';
import { fewerInCi } from './fewer-in-ci.ts';
import { recordFigure } from './figures.ts';

const NIGHTS = Number(process.env['ANSWERLAKE_FUZZ_NIGHTS'] ?? fewerInCi({ all: 500, some: 60 }));
/** The first case; a failure names its own, and with `ANSWERLAKE_FUZZ_NIGHTS=1` it runs alone. */
const SEED = Number(process.env['ANSWERLAKE_FUZZ_SEED'] ?? 0);

/** More than so many problems have one cause. */
const ENOUGH = 20;
const LONGEST_MS = 1_800_000;

let warehouse: AttackedWarehouse;
const references: NightReport[] = [];

beforeAll(async () => {
  warehouse = await openAttackedWarehouse();
  for (let number = 0; number < warehouse.api.nights.length; number += 1) {
    const isPublished = number === 0;
    const night = { number, seed: 'clean', endpoints: null, strikes: [], isPublished };
    references.push(await warehouse.run(night));
    if (isPublished) warehouse.keep();
  }
}, 900_000);

afterAll(async () => {
  await warehouse[Symbol.asyncDispose]();
});

it('clean nights hold what the API says, row by row', () => {
  expect(references.map(({ exitCode }) => exitCode)).toEqual(references.map(() => 0));
  for (const [night, reference] of references.entries()) {
    const simulator = warehouse.api.nights[night];
    const projectId = warehouse.projectIds[night];
    if (simulator === undefined || projectId === undefined) throw new Error('more nights than projects');
    expect(untrueTables(reference, { simulator, night, projectId }), dayOfNight(night)).toEqual([]);
  }
});

it('a key is found in a log, an archive and a file, with JSON escapes too', () => {
  const folder = openFolder();
  const archive = join(folder, 'day');
  mkdirSync(archive);
  writeFileSync(join(archive, 'run.ndjson.gz'), gzipSync('{"a":"\\u0073k-\\/x"}\n'));
  writeFileSync(join(folder, 'file'), 'before sk-/x after');
  const lines = ['{"message":"sk-\\u002fx"}'];
  const files = [join(folder, 'file'), join(folder, 'missing')];
  expect(keyFoundIn('sk-/x', { lines, archive, files })).toEqual([
    'the log',
    join(folder, 'file'),
    'the archive run.ndjson.gz',
  ]);
  expect(keyFoundIn('sk-/y', { lines, archive, files })).toEqual([]);
});

it('a changed number shows in the night that believed it, and is gone after the next', async () => {
  const [projectId = ''] = warehouse.projectIds;
  const alteration = valueAlterations.find(({ name }) => name === 'another number');
  if (alteration === undefined) throw new Error('no such alteration');
  const endpoints = ['visibility'];
  const path = '/api/v1/visibility-time-series';
  const strikes = [{ alteration, path, projectId, share: 1, times: Number.POSITIVE_INFINITY }];
  warehouse.restore();
  const parts = { projectId, references, endpoints, beliefs: new Map(), alteredNights: new Map() };
  const altered = await warehouse.run({ number: 1, seed: 'shown', endpoints, strikes });
  expect(judgeNight(altered, { ...parts, night: 1 })).toContainEqual(expect.stringContaining('nobody told'));
  expect(judgeHealed(altered, { ...parts, night: 1 })).not.toEqual([]);
  const clean = await warehouse.run({ number: 2, seed: 'shown', endpoints, strikes: [] });
  expect(judgeHealed(clean, { ...parts, night: 2 })).toEqual([]);
});

it(
  'an altered answer never makes a wrong or lost row with exit 0',
  async () => {
    const problems: string[] = [];
    const altered = new Map<string, number>();
    let nights = 0;
    let cases = 0;
    for (; nights < NIGHTS && problems.length < ENOUGH; cases += 1) {
      const done = await runCase({ warehouse, references, seed: String(SEED + cases) });
      nights += done.nights;
      problems.push(...done.problems);
      for (const name of done.applied) altered.set(name, (altered.get(name) ?? 0) + 1);
    }
    const answers = [...altered.values()].reduce((sum, number) => sum + number, 0);
    recordFigure({
      order: 11,
      promise: 'An altered answer never makes a wrong or lost row with exit 0',
      how: 'A proxy in front of the simulator alters answers by a seed: values, types, lists, pages, counts, days, windows, other projects, statuses, headers, encodings, broken bodies, clocks, days of another zone, what the key is said to be and to reach, the key itself. Ten projects a run are altered each in its own way, on one to three nights, and then comes a clean one. After an altered night each row must be one that the API told, none may be lost, and what the ledger calls loaded must be the truth; what another right answer could look like (a changed number, an entry less, the answer of another project) may be believed for that night. After the clean night every table must be the truth again. After each altered night the log, the archive of the day and the database files are searched for the key.',
      cases: nights,
      violations: problems.length,
      details: {
        'altered answers': answers,
        'ways to alter': altered.size,
        'cases of one to three nights': cases,
      },
    });
    expect(problems).toEqual([]);
  },
  LONGEST_MS,
);
