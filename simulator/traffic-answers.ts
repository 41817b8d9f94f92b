import { dayFromNumber } from '../src/day.ts';
import { hashText, mix, unit } from './random.ts';
import { daysOf, versionOn, type RouteRequest } from './route.ts';
import type { TrafficSource } from './world.ts';

const EPOCH = 20_089;

/** Requests or visits of one source on one UTC day. */
function countOn(request: RouteRequest, source: TrafficSource, day: number): number {
  if (day < request.state.firstDay || day > request.state.today) return 0;
  const version = versionOn(request, day);
  const own = mix(
    mix(request.state.seed, hashText(request.project.site ?? request.project.id)),
    hashText(source.name),
  );
  const weekend = (day + 3) % 7 > 4 ? 0.55 : 1.15;
  const trend = 1 + 0.9 * (1 - Math.exp(-Math.max(0, day - EPOCH) / 400));
  const noise = 0.7 + 0.6 * unit(own, mix(day, version.corrections));
  const burst = unit(own + 1, day) < 0.02 ? 3 : 1;
  return Math.round(source.perDay * weekend * trend * noise * burst * version.arrived * version.factor);
}

/** Hours that the zone is ahead of UTC at noon of the day. */
function zoneHours(zone: string | undefined, day: number): number {
  if (zone === undefined || zone === 'UTC') return 0;
  const noon = new Date(day * 86_400_000 + 43_200_000);
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(
    noon,
  );
  const text = parts.find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
  const match = /GMT([+-])(\d{2}):(\d{2})/.exec(text);
  if (match === null) return 0;
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) + Number(match[3]) / 60);
}

/** The count of a day in the requested time zone: if it is ahead of UTC, the first hours belong to the day before. */
function zonedCount(request: RouteRequest, source: TrafficSource, day: number): number {
  const share = zoneHours(request.parameters.text('timezone'), day) / 24;
  const own = countOn(request, source, day);
  if (share === 0) return own;
  const neighbour = countOn(request, source, day + (share > 0 ? -1 : 1));
  return Math.round(own * (1 - Math.abs(share)) + neighbour * Math.abs(share));
}

function trend(request: RouteRequest, sources: readonly TrafficSource[]): unknown {
  const days = [...daysOf(request.window)].filter((day) => day >= request.state.firstDay);
  const series = sources
    .map((source) => ({ name: source.name, data: days.map((day) => zonedCount(request, source, day)) }))
    .filter(({ data }) => data.some((count) => count > 0));
  return { dates: series.length === 0 ? [] : days.map(dayFromNumber), series };
}

function askedSources(
  request: RouteRequest,
  sources: readonly TrafficSource[],
  name: string,
): TrafficSource[] {
  const asked = request.parameters.list(name);
  return sources.filter((source) => asked === undefined || asked.includes(source.name));
}

export function crawlersTrend(request: RouteRequest): unknown {
  return trend(request, askedSources(request, request.project.crawlers, 'crawlers'));
}

/** Share of a source's requests that go to the page. */
function pageShare(request: RouteRequest, page: string, source: string): number {
  const weight = (path: string): number => unit(hashText(path), hashText(source)) ** 2;
  const all = request.project.pages.reduce((total, path) => total + weight(path), 0);
  return all === 0 ? 0 : weight(page) / all;
}

const TOP_PAGES = 50;

export function crawlersTopPages(request: RouteRequest): unknown {
  const sources = askedSources(request, request.project.crawlers, 'crawlers').map((source) => ({
    name: source.name,
    total: [...daysOf(request.window)].reduce((total, day) => total + zonedCount(request, source, day), 0),
  }));
  return request.project.pages
    .map((page) => {
      const visits = sources
        .map(({ name, total }) => ({ name, requests: Math.floor(total * pageShare(request, page, name)) }))
        .filter(({ requests }) => requests > 0);
      return {
        request_path: page,
        requests: visits.reduce((total, { requests }) => total + requests, 0),
        unique_crawlers: visits.length,
        crawlers: visits.map(({ name }) => name),
      };
    })
    .filter(({ requests }) => requests > 0)
    .sort((a, b) => b.requests - a.requests || (a.request_path < b.request_path ? -1 : 1))
    .slice(0, TOP_PAGES);
}

export function visitorsTrend(request: RouteRequest): unknown {
  const pathname = request.parameters.text('pathname');
  const sources = askedSources(request, request.project.referrers, 'referrerDomains');
  if (pathname === undefined) return trend(request, sources);
  if (!request.project.pages.includes(pathname)) return { dates: [], series: [] };
  const onPage = sources.map(({ name, perDay }) => ({
    name,
    perDay: perDay * pageShare(request, pathname, name),
  }));
  return trend(request, onPage);
}
