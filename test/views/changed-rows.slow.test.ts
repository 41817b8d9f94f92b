import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { hashText, unit } from '../../simulator/random.ts';
import { catalogue } from '../../src/endpoints/catalogue.ts';
import { VIEW_KEYS } from '../../src/guide/view-keys.ts';
import { addDays, dayNumber, toDay, type Day } from '../../src/day.ts';
import { buildWorld, DEFAULT_FIRST_DAY, DEFAULT_SEED } from '../../simulator/worlds.ts';
import { openRig, type Rig, withSync } from '../flow/rig.ts';

type Row = Record<string, unknown>;

const FIRST_NIGHT = toDay('2026-07-01');
const NIGHTS = Number(process.env['ANSWERLAKE_NIGHTS'] ?? 12);
const FILTERED = ['sentiment', 'brand_visibility', 'domain_citations', 'citation_ranks'];
const ENDPOINTS = catalogue.filter(({ cut }) => cut.kind !== 'window').map(({ name }) => name);

/** A number in [0, 1) for a text, the same in every night. */
function chance(...parts: readonly unknown[]): number {
  return unit(hashText(parts.join('|')), 0);
}

function between(from: Day, to: Day): number {
  return dayNumber(to) - dayNumber(from);
}

/** Some points go some nights after their day, for good or for some nights; others change. */
function altered(value: unknown, context: { name: string; today: Day }): unknown {
  const { name, today } = context;
  const night = between(FIRST_NIGHT, today);
  if (Array.isArray(value))
    return value.filter((item) => !isGone(item, context)).map((item) => altered(item, context));
  if (typeof value !== 'object' || value === null) return value;
  const object = value as Row;
  const date = dateIn(object);
  const { dates, data } = object;
  if (Array.isArray(dates)) return trendOf(object, dates.map(String), context);
  if (Array.isArray(data)) return object;
  const inside = { name: nameOf(object, name), today };
  const isChanged =
    date !== null &&
    chance('change', inside.name, date) < 0.15 &&
    between(date, today) > 1 + 5 * chance(name, date);
  return Object.fromEntries(
    Object.entries(object).map(([key, item]) => {
      if (isChanged && typeof item === 'number' && item > 1) return [key, item - 1];
      if (key === 'relation' && item !== 'SELF' && night > 12 && night < 20 && chance(object['name']) < 0.4)
        return [key, 'IGNORED'];
      if (key === 'slug') return [key, night > 9 ? `${String(item)}-new` : item];
      if (key === 'name' && 'slug' in object) return [key, night > 9 ? 'New name' : item];
      if (key === 'prompt' && typeof item === 'string')
        return [key, night > 15 && chance(item) < 0.3 ? `${item}?` : item];
      return [key, altered(item, inside)];
    }),
  );
}

/** Brands of a day change and go on their own. */
function nameOf({ name, id, brand }: Row, place: string): string {
  return `${place}/${JSON.stringify(name ?? id ?? (brand as Row | undefined)?.['id'])}`;
}

/** In a list of series, each loses its latest days in some nights, and changes on others. */
function trendOf(body: Row, dates: readonly string[], { name, today }: { name: string; today: Day }): Row {
  const days = dates.map((date) => toDay(date.slice(0, 10)));
  const isKept = (series: Row): boolean =>
    chance('leave', name, series['name'] ?? series['domain'], Math.floor(dayNumber(today) / 5)) > 0.2;
  const changed =
    (series: Row) =>
    (value: unknown, index: number): unknown => {
      const date = days[index] ?? today;
      const isChanged = between(date, today) > 3 && chance(name, series['name'], date) < 0.2;
      return typeof value === 'number' && isChanged ? value + 1 : value;
    };
  const lists = Object.entries(body).map(([key, list]) => {
    if (key === 'dates' || !Array.isArray(list)) return [key, list];
    const kept = (list as Row[]).filter(isKept);
    return [
      key,
      kept.map((series) => ({ ...series, data: (series['data'] as unknown[]).map(changed(series)) })),
    ];
  });
  return Object.fromEntries(lists) as Row;
}

function dateIn(object: Row): Day | null {
  const { date } = object;
  return typeof date === 'string' && /^\d{4}-\d\d-\d\d$/.test(date) ? toDay(date) : null;
}

function isGone(item: unknown, { name, today }: { name: string; today: Day }): boolean {
  if (typeof item !== 'object' || item === null) return false;
  const date = dateIn(item as Row);
  if (date === null || chance('go', nameOf(item as Row, name), date) > 0.12) return false;
  const age = between(date, today);
  const from = 1 + Math.floor(3 * chance('from', name, date));
  const isBack = chance('back', name, date) < 0.4 && age > from + 3;
  return age >= from && !isBack;
}

/** Judged against a year of days, or no history: taken whole. */
const TAKEN_WHOLE = /^(anomalies|calendar|sync_coverage|sync_gaps|setup_changes|turning_points)$/;
const viewsOfDays = Object.entries(VIEW_KEYS).filter(
  ([view, key]) => key.includes('date') && !TAKEN_WHOLE.test(view),
);

/** What a reader holds who took the whole views once and then only what changed. */
class Reader {
  private readonly rows = new Map<string, Map<string, Row>>();
  private taken = '';
  deleted = 0;
  unchanged = 0;

  /** Takes what has changed; returns how the rows held now differ from the views. */
  async take(rig: Rig): Promise<string[]> {
    const deletions = await rig.rows(
      "select view_name, key, deleted_at from deleted_rows where schema_name = 'main'",
    );
    const wrong: string[] = [];
    let newest = this.taken;
    for (const [view, key] of viewsOfDays) {
      const held = this.rows.get(view) ?? new Map<string, Row>();
      this.rows.set(view, held);
      for (const row of deletions) {
        if (row['view_name'] !== view || String(row['deleted_at']) <= this.taken) continue;
        if (held.delete(String(row['key']))) this.deleted += 1;
      }
      const gone = new Set(held.keys());
      for (const row of await rig.rows(`select * from ${view}`)) {
        const name = JSON.stringify(row, [...key]);
        gone.delete(name);
        const changedAt = String(row['changed_at']);
        newest = changedAt > newest ? changedAt : newest;
        const mine = held.get(name);
        if (changedAt > this.taken) held.set(name, row);
        else this.unchanged += 1;
        if (changedAt > this.taken || isDeepStrictEqual(withoutFlags(row), withoutFlags(mine))) continue;
        wrong.push(`${view} ${name}: ${JSON.stringify(mine)} is ${JSON.stringify(row)}`);
      }
      wrong.push(...[...gone].map((name) => `${view} ${name} is no longer there`));
    }
    this.taken = newest;
    return wrong;
  }
}

/** Flags that change by the calendar are left out; a reader computes them from `final_on`. */
function withoutFlags({ is_final: _1, is_whole_day: _2, ...row }: Row = {}): Row {
  return row;
}

it('changed_at and deleted_rows give a reader the whole views of days after each of 12 random nights', async () => {
  const world = buildWorld('small', { seed: DEFAULT_SEED, firstDay: DEFAULT_FIRST_DAY });
  // Each prompt is four series.
  for (const project of world.projects)
    project.prompts = project.prompts.filter((_, place) => place % 3 === 0);
  await using rig = await openRig({
    world,
    key: 'small-organization-key',
    today: FIRST_NIGHT,
    startDate: '2026-06-10',
    change: withSync({
      grains: ['day', 'week'],
      landingPages: ['/', '/pricing'].map((pathname) => ({ pathname })),
      scopes: {
        ...Object.fromEntries(FILTERED.map((name) => [name, ['project', 'model'] as const])),
        visibility: ['project', 'model', 'monitor', 'prompt'],
        share_of_voice: ['project', 'prompt'],
      },
    }),
  });
  rig.simulator.override(
    () => true,
    ({ path, query }: { path: string; query: unknown }, answer: { body: unknown }) => ({
      body: altered(answer.body, {
        name: path + JSON.stringify(query).replaceAll(/\d{4}-\d\d-\d\d/g, ''),
        today: rig.simulator.today,
      }),
    }),
  );
  const reader = new Reader();
  for (let night = 0; night < NIGHTS; night += 1) {
    if (night > 0) rig.simulator.setToday(addDays(rig.simulator.today, 1 + Math.floor(3 * chance(night))));
    await rig.sync({ endpoints: ENDPOINTS });
    expect((await reader.take(rig)).slice(0, 20)).toEqual([]);
  }
  expect(reader.deleted).toBeGreaterThan(100);
  expect(reader.unchanged).toBeGreaterThan(10_000);
}, 600_000);
