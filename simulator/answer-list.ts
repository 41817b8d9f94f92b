import { dayFromNumber } from '../src/day.ts';
import { viewKey, type CellOfDay, type Facts, type Filter } from './facts.ts';
import { known } from './known.ts';
import { hashText, mix, unit, uuidOf } from './random.ts';
import { factsOf, filterOf, percent, round, versionOn, type ListEntry, type RouteRequest } from './route.ts';
import type { WorldProject } from './world.ts';

const DAY_MS = 86_400_000;

/** The place of a citation: one page of the domain for every five prompts. */
export function citedUrl(domain: string, prompt: number): string {
  return `https://${domain}/guides/${prompt % 5}`;
}

/** Monitors, by index, that were removed: what they asked is hidden. */
export function removedMonitors({ project, state }: RouteRequest): ReadonlySet<number> {
  const today = dayFromNumber(state.today);
  const removed = project.monitors.flatMap(({ removed: one }, index) =>
    one !== undefined && one.on <= today ? [index] : [],
  );
  return new Set(removed);
}

interface Citation {
  url: string;
  domain: string;
  rank: number | null;
  title: string | null;
}

/** The answers of one cell, one entry each. What the cell counts is spread over them, so that they add up to every other figure of the day. */
function answersOf(project: WorldProject, day: number, cell: CellOfDay): ListEntry[] {
  const prompt = project.prompts[cell.prompt];
  const model = project.models[cell.model];
  const monitor = project.monitors[prompt?.monitor ?? 0];
  const { responses } = cell;
  const name = `${project.id}/${prompt?.id ?? ''}/${model?.id ?? ''}/${day}`;
  const key = hashText(name);
  // Which of the answers come first for a brand or domain; the same ones each time.
  const turn = (of: number, index: number): number => (index + (mix(key, of) % responses)) % responses;
  const own = cell.brand(0);
  const named = project.brands.map((_, brand) => cell.brand(brand).mentions);
  const citations = citationsOf(project, cell, turn);
  return Array.from({ length: responses }, (_, index) => {
    const place = turn(0, index);
    const isNamed = place < own.mentions;
    const share = unit(key, 100 + index);
    // The first and the last millisecond of a day are where a client goes wrong.
    const inDay = share < 0.02 ? 0 : share > 0.98 ? DAY_MS - 1 : Math.floor(share * DAY_MS);
    const sentiment = sentimentAt(cell, place);
    const cited = citations[index] ?? [];
    const isCut = project.cutsLists === true && cited.length > 1 && unit(key, 300 + index) < 0.1;
    return {
      id: uuidOf(`${name}/${index}`),
      content: `${prompt?.text ?? ''} – ${isNamed ? (project.brands[0]?.name ?? '') : '…'} \u2028 answer ${index + 1}`,
      model: model?.model,
      provider: model?.provider,
      mentionedOurBrand: isNamed,
      competitorMentions: project.brands.flatMap((brand, at) =>
        at > 0 && turn(at, index) < (named[at] ?? 0) ? [brand.name] : [],
      ),
      brandMentions: isNamed ? [{ brand: project.brands[0]?.name, position: 1 }] : [],
      citationCount: cited.length,
      prompt: {
        id: prompt?.id,
        prompt: prompt?.text,
        type: prompt?.type,
        intent: prompt?.intent ?? null,
        llmMonitor: { id: monitor?.id, name: monitor?.name },
      },
      citations: isCut ? cited.slice(1) : cited,
      createdAt: new Date(day * DAY_MS + inDay).toISOString(),
      visibilityScore: isNamed ? shareOfSum(own.scores, own.mentions, place) : 0,
      sentiment,
      sentimentScore: sentiment === null ? null : { POSITIVE: 82.5, NEUTRAL: 50, NEGATIVE: 17.25 }[sentiment],
      toneOfVoice: sentiment === null ? null : 'matter-of-fact',
    };
  });
}

/** A whole part of a sum, so that all parts add up to it. */
function shareOfSum(sum: number, parts: number, index: number): number {
  return Math.floor(sum / parts) + (index < sum % parts ? 1 : 0);
}

function sentimentAt(cell: CellOfDay, place: number): 'POSITIVE' | 'NEGATIVE' | 'NEUTRAL' | null {
  const { positive, negative, neutral } = cell;
  if (place < positive) return 'POSITIVE';
  if (place < positive + negative) return 'NEGATIVE';
  return place < positive + negative + neutral ? 'NEUTRAL' : null;
}

/** The citations of each answer of a cell, by rank. */
function citationsOf(
  project: WorldProject,
  cell: CellOfDay,
  turn: (of: number, index: number) => number,
): Citation[][] {
  const lists = Array.from({ length: cell.responses }, (): Citation[] => []);
  project.domains.forEach(({ domain }, at) => {
    const { citations, ranked, rank } = cell.domain(at);
    for (let index = 0; index < citations; index += 1) {
      const title = at % 4 === 3 ? null : `All about ${domain}`;
      lists[turn(1000 + at, index)]?.push({
        url: citedUrl(domain, cell.prompt),
        domain,
        rank: ranked > 0 ? rank : null,
        title,
      });
    }
  });
  for (const list of lists) list.sort((a, b) => (a.rank ?? 99) - (b.rank ?? 99));
  return lists;
}

/** Days of a list that are kept: those of a month, and of the days at its ends. */
const MAX_LISTED_DAYS = 33;
const LISTED = new WeakMap<Facts, Map<string, readonly ListEntry[]>>();

/** The answers of a day in order of time, made once for all pages and lists that show them. */
function answersOn(
  request: RouteRequest,
  day: number,
  { filter, removed }: { filter: Filter; removed: ReadonlySet<number> },
): readonly ListEntry[] {
  const { project } = request;
  const facts = factsOf(request);
  const days = known(LISTED, facts, () => new Map<string, readonly ListEntry[]>());
  const version = versionOn(request, day);
  const key = `${day}|${[...removed].join()}|${viewKey(filter, version)}`;
  const before = days.get(key);
  if (before !== undefined) return before;
  const made: ListEntry[] = [];
  facts.eachCell({ number: day, filter, version }, (cell) => {
    if (!removed.has(project.prompts[cell.prompt]?.monitor ?? -1))
      made.push(...answersOf(project, day, cell));
  });
  made.sort((a, b) => (String(a['createdAt']) < String(b['createdAt']) ? -1 : 1));
  const [oldest] = days.keys();
  if (days.size >= MAX_LISTED_DAYS && oldest !== undefined) days.delete(oldest);
  days.set(key, made);
  return made;
}

/** Answers by `createdAt` or a score, as the list of responses shows them. */
export function responses(request: RouteRequest): readonly ListEntry[] {
  const { parameters, state } = request;
  const end = (state.today + 1) * DAY_MS - 1;
  const from = parameters.instant('from') ?? state.firstDay * DAY_MS;
  const until = Math.min(parameters.instant('until') ?? end, end);
  const removed = removedMonitors(request);
  const found: ListEntry[] = [];
  const filter = filterOf(request);
  const oldest = state.options.keepDays === undefined ? 0 : state.today - state.options.keepDays + 1;
  for (let day = Math.max(Math.floor(from / DAY_MS), oldest); day <= Math.floor(until / DAY_MS); day += 1)
    found.push(...answersOn(request, day, { filter, removed }));
  const sign = parameters.text('sortOrder') === 'asc' ? 1 : -1;
  const field = parameters.text('sortBy') ?? 'createdAt';
  const valueOf = (entry: ListEntry): string | number => {
    const value = entry[field];
    return typeof value === 'string' || typeof value === 'number' ? value : -1;
  };
  return found.filter(matches(request, { from, until })).sort((a, b) => {
    const [one, other] = [valueOf(a), valueOf(b)];
    if (one !== other) return one < other ? -sign : sign;
    return String(a['id']) < String(b['id']) ? -1 : 1;
  });
}

function matches({ parameters, state }: RouteRequest, { from, until }: { from: number; until: number }) {
  const sentiments = parameters.list('sentiment');
  const isNamed = parameters.text('mentionedOurBrand');
  const words = parameters.text('query')?.toLowerCase();
  return (entry: ListEntry): boolean => {
    const at = Date.parse(String(entry['createdAt']));
    return (
      from <= at &&
      at <= until &&
      !state.hidden.has(String(entry['id'])) &&
      (sentiments === undefined || sentiments.includes(String(entry['sentiment']))) &&
      (isNamed === undefined || String(entry['mentionedOurBrand']) === isNamed) &&
      (words === undefined || String(entry['content']).toLowerCase().includes(words))
    );
  };
}

/** The pages that answers of a window cite, most cited first. */
export function topPages(request: RouteRequest): readonly ListEntry[] {
  const { parameters, project, window } = request;
  const domains = parameters.list('domains');
  const pages = new Map<string, { count: number; ranked: number; rankSum: number }>();
  for (let day = window.start; day <= window.end; day += 1) {
    const asked = { number: day, filter: filterOf(request), version: versionOn(request, day) };
    factsOf(request).eachCell(asked, (cell) => {
      project.domains.forEach(({ domain }, at) => {
        const { citations, ranked, rank } = cell.domain(at);
        if (citations === 0 || domains?.includes(domain) === false) return;
        const url = citedUrl(domain, cell.prompt);
        const page = pages.get(url) ?? { count: 0, ranked: 0, rankSum: 0 };
        pages.set(url, {
          count: page.count + citations,
          ranked: page.ranked + ranked,
          rankSum: page.rankSum + ranked * rank,
        });
      });
    });
  }
  return [...pages]
    .map(([url, { count, ranked, rankSum }]) => ({
      url,
      count,
      averageRank: ranked === 0 ? null : round(rankSum / ranked, 4),
    }))
    .sort((a, b) => b.count - a.count || (a.url < b.url ? -1 : 1))
    .slice(0, parameters.integer('limit', 20));
}

/** Mean visibility and answers by day and prompt; a prompt without answers has no row. */
export function promptVisibility(
  request: RouteRequest,
  buckets: readonly { start: number; days: number[] }[],
) {
  const rows: ListEntry[] = [];
  for (const bucket of buckets) {
    const sums = new Map<number, { scores: number; responses: number }>();
    for (const day of bucket.days) {
      const asked = { number: day, filter: filterOf(request), version: versionOn(request, day) };
      factsOf(request).eachCell(asked, (cell) => {
        const sum = sums.get(cell.prompt) ?? { scores: 0, responses: 0 };
        const scores = sum.scores + cell.brand(0).scores;
        sums.set(cell.prompt, { scores, responses: sum.responses + cell.responses });
      });
    }
    for (const [index, { scores, responses: count }] of sums) {
      const prompt = request.project.prompts[index];
      rows.push({
        date: dayFromNumber(bucket.start),
        prompt: { id: prompt?.id, prompt: prompt?.text },
        averageVisibility: round(percent(scores, count) / 100),
        totalResponses: count,
      });
    }
  }
  return rows.slice(0, request.parameters.integer('limit', 500));
}
