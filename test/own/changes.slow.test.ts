import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { describeOne, listViews, tellQuery } from '../../src/guide/tools.ts';
import { archiveFiles } from '../../src/load/raw-archive.ts';
import { openPublishedFile } from '../../src/publish/published-file.ts';
import { replayArchive } from '../../src/replay/replay.ts';
import { dropEndpoint, replayEndpoint } from '../../src/replay/own-endpoint.ts';
import { runSync } from '../../src/run/sync.ts';
import { syncRequest } from '../../src/run/sync-request.ts';
import { toDay } from '../../src/day.ts';
import { workingPath } from '../../src/warehouse/working-file.ts';
import { changeFile } from '../support/file-reader.ts';
import { openOwn, withFile } from './served.ts';

const TAGS = 'path: /api/v2/tags\nrows: tags\nkey: [id]\ncolumns: { text: [name] }\n';
const MORE =
  'path: /api/v2/tags\nrows: data.tags\nkey: [id]\ncolumns: { text: [name], integer: [prompts] }\neach: { colors: text }\n';
const DATED = 'path: /own/notes\nask: dated\ndate: at\nkey: [id]\nmax_window_days: 60\n';

test('a new column is filled from the archive, another key needs new tables, and a file that is gone leaves its tables until they are dropped, which a replay does not call a loss', async () => {
  await using rig = await openOwn({ tags: TAGS });
  const tags = [
    { id: 't1', name: 'one', prompts: 3, colors: ['red'] },
    { id: 't2', name: 'two', prompts: 4, colors: [] },
  ];
  rig.answer('/api/v2/tags', () => ({ status: 200, body: { tags } }));
  await rig.night('2026-07-14', { endpoints: ['tags'] });
  const contextOf = (text: string | null) => withFile(rig, 'tags', text);
  rig.simulator.resetRequests();
  const more = contextOf(MORE);
  await replayEndpoint(more, { name: 'tags', isRecreated: false });
  expect(await rig.workingRows('select id, prompts, rest from own.tags order by id')).toEqual([
    { id: 't1', prompts: 3, rest: null },
    { id: 't2', prompts: 4, rest: null },
  ]);
  expect(await rig.workingRows('select id, position, value from own.tags_colors')).toEqual([
    { id: 't1', position: 1, value: 'red' },
  ]);
  expect(await rig.workingRows('from meta.restatements')).toEqual([]);

  await using file = await openPublishedFile(rig.config.warehouse.path);
  expect(await describeOne(file, 'own.tags')).toContain(
    'Key: project_id, id\nproject_id (VARCHAR): Project id as the API reports it',
  );
  expect(await describeOne(file, 'own.tags')).toContain(
    'prompts (BIGINT): Field prompts; unit, scale and whether it adds up: not known here. Source: GET v2 tags.',
  );
  expect(await tellQuery(file, 'select name from own.tags')).toContain('not instructions');
  expect(await listViews(file)).toContain('own.tags_colors: Entries of colors in own.');
  await file[Symbol.asyncDispose]();

  const other = contextOf(MORE.replace('[id]', '[id, name]').replace('text: [name], ', ''));
  const request = syncRequest({ maxWaitMs: 0, today: rig.simulator.today, endpoints: ['tags'] });
  const refused = { exitCode: 2, message: expect.stringContaining('replay --endpoint tags --recreate') };
  await expect(runSync(request, other)).rejects.toThrow(expect.objectContaining(refused));
  await replayEndpoint(other, { name: 'tags', isRecreated: true });
  expect(await rig.workingRows("select key from meta.tables where table_name = 'tags'")).toEqual([
    { key: ['project_id', 'id', 'name'] },
  ]);
  expect(await rig.workingRows('select id, name from own.tags order by id')).toHaveLength(2);

  const gone = contextOf(null);
  await replayArchive(gone, false);
  expect(await rig.workingRows('select id, name, rest from own.tags order by id')).toEqual([
    { id: 't1', name: 'one', rest: '{"colors":["red"],"prompts":3}' },
    { id: 't2', name: 'two', rest: '{"colors":[],"prompts":4}' },
  ]);
  const drop = { name: 'tags', fromArchive: true, isAgreed: false };
  await expect(dropEndpoint(gone, drop)).rejects.toThrow('own.tags (2 rows), 1 line of the raw archive');
  await dropEndpoint(gone, { ...drop, isAgreed: true });
  expect(await rig.workingRows("from meta.tables where schema_name = 'own'")).toEqual([]);
  await replayArchive(gone, false);
  expect(await rig.workingRows("from meta.slices where endpoint = 'tags'")).toEqual([]);
  expect(rig.asked('/tags')).toEqual([]);
});

test('answers of a dropped endpoint also leave an archive file that a kill cut off; one that is damaged inside is named, and nothing is dropped', async () => {
  await using rig = await openOwn({ tags: TAGS });
  rig.answer('/api/v2/tags', () => ({ status: 200, body: { tags: [{ id: 't1', name: 'one' }] } }));
  await rig.night('2026-07-14', { endpoints: ['tags'] });
  const gone = withFile(rig, 'tags', null);
  const drop = { name: 'tags', fromArchive: true, isAgreed: true };
  const [{ path } = { path: '' }] = await archiveFiles(rig.config.raw.dir);
  const whole = readFileSync(path);
  const torn = gzipSync('{"cut":').subarray(0, 14);
  writeFileSync(path, Buffer.concat([whole, torn, gzipSync('{}\n')]));
  await expect(dropEndpoint(gone, drop)).rejects.toThrow(
    expect.objectContaining({ exitCode: 7, message: expect.stringContaining(path) }),
  );
  writeFileSync(path, Buffer.concat([whole, torn]));
  expect(await dropEndpoint(gone, drop)).toMatchObject({ archive_lines: 1, tables: { 'own.tags': 1 } });
  expect(gunzipSync(readFileSync(path)).toString()).not.toContain('tags');
  await replayArchive(gone, false);
});

test('a date or a key that is read from another field needs new tables, although their columns stay the same', async () => {
  await using rig = await openOwn({ notes: DATED });
  const note = { id: 'a', uid: 'b', at: '2026-07-13', on: '2026-07-12' };
  rig.answer('/own/notes', () => ({ status: 200, body: [note] }));
  const contextOf = (text: string | null) => withFile(rig, 'notes', text);
  await rig.night('2026-07-14', { endpoints: ['notes'] });
  const request = syncRequest({ maxWaitMs: 0, today: rig.simulator.today, endpoints: ['notes'] });
  for (const text of [DATED.replace('date: at', 'date: on'), DATED.replace('[id]', '[uid as id]')]) {
    const refused = { exitCode: 2, message: expect.stringContaining('replay --endpoint notes --recreate') };
    await expect(runSync(request, contextOf(text))).rejects.toThrow(expect.objectContaining(refused));
  }
  const other = contextOf(DATED.replace('date: at', 'date: on').replace('[id]', '[uid as id]'));
  await replayEndpoint(other, { name: 'notes', isRecreated: true });
  const content = [{ id: 'b', date: '2026-07-12' }];
  expect(await rig.workingRows('select id, date from own.notes')).toEqual(content);
  // Without its file, the newest of the declarations reads all answers: tables made again would lose the first ones.
  rig.answer('/own/notes', () => ({ status: 200, body: [] }));
  await runSync({ ...request, full: true }, other);
  await replayArchive(contextOf(null), false);
  expect(await rig.workingRows('select id, date from own.notes')).toEqual(content);
});

test('answers to a question of another kind, or for other parents, are neither read again nor failures', async () => {
  const list = (name: string, more = '') => `path: /own/${name}\nkey: [id]\n${more}`;
  const things = list('things');
  const details = 'path: /own/details/{id}\nkey: [n]\nfor: { one: of_id }\n';
  await using rig = await openOwn({ one: list('one'), other: list('other'), things, details });
  const days = Array.from({ length: 3 }, (_, day) => ({
    id: `t${String(day)}`,
    date: `2026-07-1${String(day)}`,
  }));
  rig.answer('/own/things', () => ({ status: 200, body: days }));
  for (const name of ['one', 'other'])
    rig.answer(`/own/${name}`, () => ({ status: 200, body: [{ id: name }] }));
  for (const id of ['one', 'other'])
    rig.answer(`/own/details/${id}`, () => ({ status: 200, body: [{ n: 'x' }] }));
  const endpoints = ['one', 'other', 'things', 'details'];
  await rig.night('2026-07-14', { endpoints });
  const series = withFile(rig, 'things', things.replace('key: [id]', 'ask: series\nmax_window_days: 60'));
  await replayEndpoint(series, { name: 'things', isRecreated: true });
  expect(await rig.workingRows('from own.things')).toEqual([]);
  const changed = withFile(rig, 'details', details.replace('one', 'other'));
  await replayEndpoint(changed, { name: 'details', isRecreated: true });
  expect(await rig.workingRows('from own.details')).toEqual([]);
  const request = syncRequest({ maxWaitMs: 0, today: rig.simulator.today, endpoints });
  expect(await runSync(request, changed)).toMatchObject({ failures: [] });
  const content = await rig.workingRows('select of_id, n from own.details');
  expect(content).toEqual([{ of_id: 'other', n: 'x' }]);
  expect(await replayArchive(changed, false)).toMatchObject({ slices_failed: 0 });
  expect(await rig.workingRows('select of_id, n from own.details')).toEqual(content);
  expect(await rig.workingRows('select date from own.things order by date')).toHaveLength(3);
});

test('a new column finds its table although another one is called like the table before the change', async () => {
  const text = (name: string) => `path: /own/${name}\nkey: [id]\n`;
  await using rig = await openOwn({ price: text('price'), price_before: text('price_before') });
  for (const name of ['price', 'price_before'])
    rig.answer(`/own/${name}`, () => ({ status: 200, body: [{ id: name, amount: 3 }] }));
  await rig.night('2026-07-14', { endpoints: ['price', 'price_before'] });
  const more = withFile(rig, 'price', `${text('price')}columns: { integer: [amount] }\n`);
  await replayEndpoint(more, { name: 'price', isRecreated: false });
  expect(await rig.workingRows('select id, amount from own.price')).toEqual([{ id: 'price', amount: 3 }]);
  expect(await rig.workingRows('select id from own.price_before')).toEqual([{ id: 'price_before' }]);
});

test('a new column and a new list are filled from the archive also after a run that stored them of its own days', async () => {
  const words = 'path: /own/things\nask: dated\ndate: at\nrows: items\nkey: [id]\nstart_date: 2026-07-01\n';
  await using rig = await openOwn({ things: `${words}columns: { text: [name] }\n` });
  const things = ['02', '10', '13'].map((day) => {
    return { id: day, at: `2026-07-${day}T10:00:00Z`, name: 'a', n: Number(day), marks: ['x', 'y'] };
  });
  rig.answer('/own/things', ({ query }) => {
    const { startDate = '', endDate = '' } = Object.fromEntries(query);
    const items = things.filter(({ at }) => startDate <= at.slice(0, 10) && at.slice(0, 10) <= endDate);
    return { status: 200, body: { items } };
  });
  await rig.night('2026-07-14', { endpoints: ['things'] });
  const added = 'columns: { text: [name], integer: [n] }\neach: { marks: text }\n';
  const more = withFile(rig, 'things', words + added);
  const request = syncRequest({ maxWaitMs: 0, today: rig.simulator.today, endpoints: ['things'] });
  await runSync(request, more);
  const marks = '(select count(*) from own.things_marks m where m.id = t.id) as marks';
  const filled = `select id, n, ${marks}, rest from own.things t order by id`;
  expect((await rig.workingRows(filled))[0]).toMatchObject({ n: null, marks: 0 });
  const restated = await rig.workingRows('from meta.restatements');
  // Filling a column that did not exist is not a restatement.
  expect(restated).toEqual([]);
  await replayEndpoint(more, { name: 'things', isRecreated: false });
  expect(await rig.workingRows(filled)).toEqual(things.map(({ id, n }) => ({ id, n, marks: 2, rest: null })));
  expect(await rig.workingRows('from meta.restatements')).toEqual(restated);
});

test('filling a column that did not exist is not a restatement, in tables of one’s own and in built-in ones; what changes later is one', async () => {
  const words = 'path: /own/scores\nask: series\ncolumns: { text: [name] }\n';
  await using rig = await openOwn({ scores: words });
  const figures = { '2026-07-11': null, '2026-07-12': 5, '2026-07-13': 7 };
  const scores: Record<string, number | null> = { ...figures };
  let name = 'a';
  rig.answer('/own/scores', ({ query }) => {
    const { startDate = '', endDate = '' } = Object.fromEntries(query);
    const days = Object.entries(scores).filter(([date]) => startDate <= date && date <= endDate);
    return { status: 200, body: days.map(([date, score]) => ({ date, name, score })) };
  });
  const endpoints = ['scores', 'visibility'];
  await rig.night('2026-07-14', { endpoints });
  // As a version leaves a file whose table lacks the column.
  await changeFile(
    workingPath(rig.config.warehouse.path),
    "alter table core.visibility drop column visibility; delete from meta.settings where name = 'declared_tables'",
  );
  const more = withFile(rig, 'scores', words.replace('{ ', '{ double: [score], '));
  const night = async (day: string): Promise<unknown[]> => {
    rig.simulator.setToday(toDay(day));
    await rig.effects.sleep(86_400_000);
    const today = toDay(day);
    const { failures } = await runSync({ ...syncRequest({ maxWaitMs: 0 }), today, endpoints }, more);
    expect(failures).toEqual([]);
    const logged = `select table_name, key ->> 'date' as day, old, new from meta.restatements
      where run_id = (select max_by(run_id, sequence) from meta.runs) order by all`;
    return await rig.workingRows(logged);
  };
  name = 'b';
  const renamed = Object.keys(scores).map((day) => {
    return { table_name: 'own.scores', day, old: '{"name":"a"}', new: '{"name":"b"}' };
  });
  expect(await night('2026-07-15')).toEqual(renamed);
  expect(await rig.workingRows('select date, score from own.scores order by all')).toEqual(
    Object.entries(figures).map(([date, score]) => ({ date, score })),
  );
  const filled = 'select count(*) > 6 as is_filled from core.visibility where visibility is not null';
  expect(await rig.workingRows(filled)).toEqual([{ is_filled: true }]);
  scores['2026-07-11'] = 3;
  scores['2026-07-12'] = 6;
  expect(await night('2026-07-16')).toEqual([
    { table_name: 'own.scores', day: '2026-07-11', old: '{"score":null}', new: '{"score":3.0}' },
    { table_name: 'own.scores', day: '2026-07-12', old: '{"score":5.0}', new: '{"score":6.0}' },
  ]);
});

test('a dated endpoint goes back 28 days from the night that asked it first, which a replay of the archive alone finds again', async () => {
  await using rig = await openOwn({ notes: DATED }, { startDate: '2026-01-01' });
  rig.answer('/own/notes', () => ({ status: 200, body: [] }));
  const setting = async () =>
    await rig.workingRows("select value from meta.settings where name = 'first_asked notes'");
  await rig.night('2026-07-10', { endpoints: ['prompts'] });
  expect(await setting()).toEqual([]);
  await rig.night('2026-07-14', { endpoints: ['notes'] });
  expect(rig.asked('/own/notes').at(-1)).toMatchObject({ startDate: '2026-06-16' });
  await rig.night('2026-07-20', { endpoints: ['notes'] });
  expect(await setting()).toEqual([{ value: '2026-07-14' }]);
  const data = dirname(rig.config.warehouse.path);
  for (const name of ['answers.duckdb', 'answers.work.duckdb', '.answers.journal.json'])
    rmSync(join(data, name), { force: true });
  await replayArchive(rig.context, false);
  expect(await setting()).toEqual([{ value: '2026-07-14' }]);
  expect((await rig.plan({ endpoints: ['notes'] })).by_project_and_endpoint).toMatchObject([{ slices: 1 }]);
});
