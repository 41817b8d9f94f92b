import { addDays, toDay, type Day } from '../../src/day.ts';
import { replayArchive } from '../../src/replay/replay.ts';
import type { OverrideHandler } from '../../simulator/overrides.ts';
import { openRig, SMALL, type Rig } from '../flow/rig.ts';
import { diceOf } from './dice.ts';

/** Declarations that nobody thought of, and what their server lists. */
interface OwnCase {
  files: Readonly<Record<string, string>>;
  /** By the beginning of the path. */
  answers: ReadonlyMap<string, (rows: World) => OverrideHandler>;
}

/** What there is: which things, how often each was restated. */
interface World {
  shown: readonly number[];
  versions: ReadonlyMap<number, number>;
}

const FIRST = toDay('2026-07-14');
const START = toDay('2026-07-08');
const ASKS = ['list', 'dated', 'series', 'window'] as const;
/** Nights after the last change: what one answer lacks goes with the second. */
const NIGHTS = 4;

/** Each night asks for the parts of at least as many things, so that all were asked at the end. */
const MIN_PARENTS = 4;
/** A thing whose parts the server refuses. */
const REFUSED = 3;

/** Field → its type and its value in a version of a thing. */
const FIELDS = {
  name: ['text', (id: number) => `thing ${String(id)}`],
  score: ['double', (id: number, version: number) => (id % 3 === 0 ? null : id + version / 2)],
  n: ['integer', (id: number, version: number) => String(id * 10 + version)],
  flag: ['boolean', (id: number) => (id % 4 === 0 ? 'odd' : id % 2 === 0)],
  'by.who': ['text', (id: number) => (id % 5 === 0 ? undefined : `who ${String(id)}`)],
  extra: ['json', (id: number, version: number) => ({ z: version, a: [id] })],
  seen: ['timestamp', (_id: number, version: number) => `2026-07-0${String(1 + version)}T00:00:00+02:00`],
} as const;

function rowOf(id: number, version: number): Record<string, unknown> {
  const row: Record<string, unknown> = { id: `i${String(id)}`, secret: 'never kept', by: {} };
  for (const [path, [, valueOf]] of Object.entries(FIELDS)) {
    const value: unknown = valueOf(id, version);
    if (value === undefined) continue;
    if (path === 'by.who') row['by'] = { who: value };
    else row[path] = value;
  }
  const tags = Array.from({ length: (id + version) % 4 }, (_, index) => `tag ${String(index)}`);
  // One list in seven is cut off, and one is absent.
  return {
    ...row,
    ...(id % 7 === 1 ? {} : { tags }),
    links: tags.map((to, rank) => ({ to, rank, more: version })),
    links_count: tags.length + (id % 7 === 2 ? 1 : 0),
  };
}

/** Scope → its parameter. */
const FILTERS = { monitor: 'monitorId', model: 'modelName' } as const;

/** Whether the answer for a value of a scope lists a thing; without one it lists all. */
function isOf(value: string | undefined, id: number): boolean {
  return value === undefined || (id + value.length + value.charCodeAt(0)) % 3 > 0;
}

/** The day of a thing. Each day has several: one that loses all of them is kept, whatever the answers say. */
function dayOfThing(id: number): Day {
  return addDays(START, 3 + (id % 3));
}

export function planOwnCase(seed: number): OwnCase {
  const dice = diceOf('own endpoints', seed);
  const files: Record<string, string> = {};
  const answers = new Map<string, (world: World) => OverrideHandler>();
  for (const [index, ask] of ASKS.entries()) {
    const name = `own_${ask}`;
    const place = dice.pick(['', 'items', 'data.items']);
    const isDated = ask === 'dated' || ask === 'series';
    const pages =
      ask === 'window'
        ? 'none'
        : dice.pick(place === '' ? ['none', 'offset'] : ['none', 'number', 'offset', 'cursor']);
    const size = 2 + dice.below(4);
    const isInstant = isDated && dice.below(2) === 0;
    const isExclusive = ask !== 'list' && dice.below(3) === 0;
    // Instants are asked for a second wider, so that a day's answer may have the rows of two.
    const limit = ask === 'series' && pages === 'none' && dice.below(2) === 0 ? 40 : null;
    const chosen = Object.entries(FIELDS).filter(() => dice.below(3) > 0);
    const merged = new Map<string, string[]>();
    for (const [path, [type]] of chosen) merged.set(type, [...(merged.get(type) ?? []), path]);
    const typed = [...merged].map(([type, paths]) => `  ${type}: [${paths.join(', ')}]`);
    const each = dice.pick([
      '',
      'each: { tags: text }',
      'each: { links: { count: links_count, text: [to], integer: [rank] } }',
    ]);
    const scope =
      ask === 'series' || ask === 'window' ? dice.pick([null, 'monitor' as const, 'model' as const]) : null;
    const isVolatile = chosen.some(([path]) => path === 'score') && dice.below(3) === 0;
    files[name] = [
      `path: /own/${name}`,
      `ask: ${ask}`,
      'key: [id]',
      ...(place === '' ? [] : [`rows: ${place}`]),
      ...(isDated ? ['date: at'] : []),
      ...(ask === 'dated' ? [`start_date: ${START}`] : []),
      ...(ask === 'window' ? ['windows: [month]'] : []),
      ...(isInstant ? ['instants: [from, until]'] : []),
      ...(isExclusive ? ['end_date: exclusive'] : []),
      ...(scope === null ? [] : [`scopes: { ${scope}: ${FILTERS[scope]} }`]),
      ...(limit === null ? [] : [`limit: { limit: ${String(limit)} }`]),
      ...(pages === 'none' ? [] : [`pages: { by: ${pages}, size: ${String(size)} }`]),
      ...(typed.length === 0 ? [] : ['columns:', ...typed]),
      ...(each === '' ? [] : [each]),
      ...(isVolatile ? ['volatile: [score]'] : []),
      `rest: ${String(dice.below(3) > 0)}`,
      'leave_out: [secret]',
      '',
    ].join('\n');
    answers.set(`/own/${name}`, (world) => ({ query }) => {
      const asked = Object.fromEntries(query);
      const from = asked['from'] ?? asked['startDate'] ?? '';
      const until = asked['until'] ?? asked['endDate'] ?? '9';
      const isAsked = (at: string): boolean => {
        const day = isInstant ? at : at.slice(0, 10);
        return !isDated || (day >= from && (isExclusive ? day < until : day <= until));
      };
      const days = ask === 'series' ? Array.from({ length: 12 }, (_, day) => addDays(START, day)) : [null];
      const value = scope === null ? undefined : asked[FILTERS[scope]];
      const listed = world.shown.filter((id) => isOf(value, id));
      const rows = listed.flatMap((id) =>
        days.flatMap((day) => {
          // Instants of a series that are no midnights would be asked about.
          const at = `${day ?? dayOfThing(id)}T${ask === 'series' ? '00' : '10'}:00:00.000Z`;
          const row = { ...rowOf(id, world.versions.get(id) ?? 0), ...(isDated ? { at } : {}) };
          return isAsked(at) ? [row] : [];
        }),
      );
      const whole = rows.slice(0, limit ?? rows.length);
      const offset =
        pages === 'number'
          ? (Number(asked['page']) - 1) * size
          : Number(asked['offset'] ?? asked['cursor'] ?? 0);
      const items = pages === 'none' ? whole : whole.slice(offset, offset + size);
      const isLast = offset + size >= whole.length;
      const counts =
        index % 2 === 0 ? { total: whole.length } : { totalPages: Math.ceil(whole.length / size) };
      const about = pages === 'cursor' ? { nextCursor: isLast ? null : offset + size } : counts;
      const body =
        place === '' ? items : place === 'items' ? { items, ...about } : { data: { items }, ...about };
      return {
        status: 200,
        body: pages === 'none' && place !== '' ? (place === 'items' ? { items } : { data: { items } }) : body,
      };
    });
  }
  const isInQuery = dice.below(2) === 0;
  files['own_part'] = [
    `path: /own/own_part${isInQuery ? '' : '/{id}'}`,
    ...(isInQuery ? ["query: { of: '{id}' }"] : []),
    'for: own_list',
    `at_most: ${String(MIN_PARENTS + dice.below(10))}`,
    'key: [id]',
    ...dice.pick([[], ['each: { tags: text }']]),
    `rest: ${String(dice.below(2) > 0)}`,
    'leave_out: [secret]',
    '',
  ].join('\n');
  answers.set('/own/own_part', () => ({ path, query }) => {
    const of = Number((new Map(query).get('of') ?? path.at(-1) ?? '').slice(1));
    if (of === REFUSED) return { status: 404, body: { code: 'NOT_FOUND', error: 'Not Found', message: '' } };
    return { status: 200, body: Array.from({ length: of % 4 }, (_, index) => rowOf(of * 10 + index, 0)) };
  });
  return { files, answers };
}

/** Nights with late, hidden and restated things; gives what differs from a fresh warehouse and from a replay. */
export async function runOwnCase(seed: number): Promise<string[]> {
  const { files, answers } = planOwnCase(seed);
  const dice = diceOf('own nights', seed);
  const ids = Array.from({ length: 14 }, (_, id) => id);
  const versions = new Map<number, number>();
  let world: World = { shown: ids.filter(() => dice.below(4) > 0), versions };
  const serve = (of: Rig): void => {
    for (const [start, handler] of answers)
      of.simulator.override(
        ({ path }) => path.startsWith(start),
        (request, usual) => handler(world)(request, usual),
      );
  };
  const problems: string[] = [];
  const endpoints = Object.keys(files);
  const options = { ...SMALL, own: files, startDate: START };
  await using rig = await openRig(options);
  serve(rig);
  const night = async (of: Rig, index: number): Promise<void> => {
    of.simulator.setToday(addDays(FIRST, index));
    const { failures } = await of.pull({ endpoints });
    for (const { message } of failures)
      if (!/less than half|shrunk/.test(message)) problems.push(`night ${String(index)}: ${message}`);
  };
  await night(rig, 0);
  for (const id of ids) if (dice.below(4) === 0) versions.set(id, 1);
  // A day that loses most of what it had keeps it, so one of the fullest day goes.
  const onDay = (day: Day): number[] => world.shown.filter((id) => dayOfThing(id) === day);
  const [fullest = []] = world.shown
    .map((id) => onDay(dayOfThing(id)))
    .toSorted((a, b) => b.length - a.length);
  const gone = dice.pick(fullest);
  world = { ...world, shown: [...world.shown.filter((id) => id !== gone), 20, 21] };
  for (let index = 1; index < NIGHTS; index += 1) await night(rig, index);
  await using fresh = await openRig({ ...options, today: addDays(FIRST, NIGHTS - 1) });
  serve(fresh);
  for (let index = 0; index < NIGHTS; index += 1) await night(fresh, NIGHTS - 1);
  const tables = await rig.workingRows(
    "select table_name as name, shape, list_contains(key, 'own_list_id') as is_part from meta.tables where schema_name = 'own' order by 1",
  );
  const contentOf = async (of: Rig, where: string): Promise<Map<string, string[]>> => {
    const content = new Map<string, string[]>();
    for (const { name, shape, is_part: isPart } of tables) {
      const isMarked = isPart === true || shape === 'project' || shape === 'dated';
      // Nobody asks any more for the parts of what is gone.
      const ofListed =
        isPart === true
          ? `(${where === 'true'} or own_list_id in (select id from own.own_list where removed_at is null))`
          : 'true';
      const rows = await of.workingRows(
        `select * exclude (_run_id, _changed_at, project_id) from own.${JSON.stringify(name)} where ${isMarked ? where : 'true'} and ${ofListed} order by all`,
      );
      content.set(
        JSON.stringify(name),
        rows.map((row) => JSON.stringify(row)),
      );
    }
    return content;
  };
  const compare = (what: string, one: Map<string, string[]>, other: Map<string, string[]>): void => {
    for (const [name, rows] of one) {
      const others = other.get(name) ?? [];
      const differ = [
        ...rows.filter((row) => !others.includes(row)),
        ...others.filter((row) => !rows.includes(row)),
      ];
      if (differ.length > 0 || rows.length !== others.length)
        problems.push(
          `${what}: own.${name} differs, ${String(rows.length)} and ${String(others.length)} rows: ${differ.slice(0, 2).join(' ')}`,
        );
    }
  };
  compare('fresh', await contentOf(rig, 'removed_at is null'), await contentOf(fresh, 'removed_at is null'));
  const whole = await contentOf(rig, 'true');
  await replayArchive(rig.context, false);
  compare('replay', whole, await contentOf(rig, 'true'));
  return problems.map((problem) => `seed ${String(seed)}: ${problem}`);
}
