import type { Catalogue } from '../endpoints/catalogue.ts';
import { type Endpoint, MAX_WINDOW_DAYS } from '../endpoints/endpoint.ts';
import type { Config, EndpointSettings } from '../config/config.ts';
import { askedScopes, landingPagesOf } from '../config/endpoints.ts';
import { addDays, countDays, dayFromNumber, dayNumber, isDay, maxDay, periodStart } from '../day.ts';
import type { Day, DayRange } from '../day.ts';
import { agreeOnDays, confirms } from '../believe/placed-rows.ts';
import { parameterOf } from '../believe/suspicion.ts';
import { type Probe } from '../believe/probe.ts';
import { type Ignored, SCOPES, type Scope } from '../slice.ts';
import type { Row } from '../endpoints/table.ts';
import { NoneLeft, shapeOf } from './budget.ts';
import type { ApiQuestion, ApiReply, Questioner, Refused } from './budget.ts';
import * as verdicts from './verdict.ts';

const SHORT_DAYS = 28;
const END_DATE_DAYS = 14;
/** Days before today whose figures may still change between two answers. */
const UNSETTLED_DAYS = 4;
/** 14 hours ahead of UTC: the zone that moves most figures to another day. */
const FAR_ZONE = 'Pacific/Kiritimati';
const MAX_AGE_STEPS = 4;

interface Checked {
  config: Config;
  questioner: Questioner;
  today: Day;
  projectId: string;
}

/** Tests what the documents leave open; sends no request that a sync could not send. */
export async function checkApi(checked: Checked) {
  const check = new Check(checked);
  try {
    await check.lists();
    await check.series();
    await check.oldestDay();
  } catch (error) {
    if (!(error instanceof NoneLeft)) throw error;
    check.add('requests', error.endpoint, ['cannot tell', 'none were left for this and what follows']);
  }
  return check.result();
}

class Check {
  readonly #of: Checked;
  readonly #catalogue: Catalogue;
  readonly #end: Day;
  readonly #verdicts: verdicts.Finding[] = [];
  readonly #endDates: verdicts.EndDateFound[] = [];
  readonly #probes: (Pick<Probe, 'parameter' | 'verdict'> & { endpoint: Endpoint })[] = [];
  readonly #shapes = new Map<string, ApiReply>();
  /** A value for each filter that excludes rows of other values. */
  readonly #filters = new Map<Scope, string>();
  #oldest: Day | null = null;
  #seenOldest: Day | null = null;

  constructor(checked: Checked) {
    this.#of = checked;
    this.#catalogue = checked.config.catalogue;
    this.#end = addDays(checked.today, -UNSETTLED_DAYS);
    const [page] = landingPagesOf(checked.config.sync, checked.projectId);
    if (page !== undefined) this.#filters.set('page', page);
  }

  result() {
    for (const [endpoint, { unknown, unreadable }] of this.#shapes) {
      if (unreadable.length > 0) {
        const text = 'some entries cannot be read, so sync refuses them';
        this.add('fields', endpoint, ['unusable', text, null, unreadable.join(', ')]);
      } else if (unknown.length > 0) {
        const text = 'the answer differs from the documents; sync reads it';
        this.add('fields', endpoint, ['nothing to set', text, null, unknown.join(', ')]);
      } else this.add('fields', endpoint, ['as documented', 'fields and types are documented']);
    }
    const shapes = [...this.#shapes].map(([endpoint, { body }]) => ({
      endpoint,
      fields: shapeOf(body, this.#catalogue),
    }));
    const found = [...verdicts.endDateVerdicts(this.#endDates), ...this.#verdicts];
    return { verdicts: found, shapes, probes: this.#probes };
  }

  /** The list of prompts, its pages, and the models in use. */
  async lists(): Promise<void> {
    const prompts = this.#catalogue.named('prompts');
    if (!this.#isEnabled('prompts') || prompts.paging.kind !== 'number') return;
    const { pages, size: longest } = prompts.paging;
    const asked = this.#settings('prompts')?.limit ?? longest;
    const page = (number: number) => [['page', String(number)] as const, ['size', String(asked)] as const];
    const first = await this.#ask('prompts', { endpoint: prompts, paging: page(1) });
    if (first === null) return;
    this.#choose('monitor', first.rows, 'monitor_id');
    this.#choose('prompt_type', first.rows, 'type');
    this.#choose('prompt', first.rows, 'prompt_id');
    const seen = pages(first.body);
    // A full page, or a total beyond this page, means that there is a second page to request.
    const isOpen = seen.ids.length >= asked || (seen.total ?? 0) > seen.ids.length;
    const second = isOpen ? await this.#ask('prompts', { endpoint: prompts, paging: page(2) }) : null;
    const next = second === null ? null : { ...pages(second.body), asked };
    for (const [topic, told] of verdicts.listVerdicts('prompts', { ...seen, asked }, next))
      this.add(topic, 'prompts', told);
    const models = { endpoint: this.#catalogue.named('llm_sources'), window: this.#window(SHORT_DAYS) };
    const sources = this.#isEnabled('llm_sources') ? await this.#ask('llm_sources', models) : null;
    this.#choose('model', sources?.rows ?? [], 'llm');
  }

  async series(): Promise<void> {
    const daily = this.#catalogue.asked.filter(({ name, isDaily }) => isDaily && this.#isEnabled(name));
    // Series first: their days decide which days the others request.
    const isDated = ({ cut }: Endpoint): number => Number(cut.kind === 'dated');
    for (const endpoint of daily.toSorted((a, b) => isDated(a) - isDated(b))) await this.#oneSeries(endpoint);
  }

  async #oneSeries(endpoint: Endpoint): Promise<void> {
    const { name } = endpoint;
    const base = await this.#base(endpoint);
    if (base === null) return;
    if (name === 'visibility') this.#seenOldest = oldestFigure(base);
    const end = base.days.at(-2);
    const family = familyOf(endpoint, this.#catalogue).filter((one) => this.#isEnabled(one));
    const configured = this.#settings(name)?.endDate ?? this.#of.config.api.endDate;
    if (end === undefined) {
      this.#endDates.push({ endpoint: name, family, configured, found: null });
      if (endpoint.cut.kind !== 'dated')
        this.add('figures', name, ['cannot tell', 'the project has too few days with figures']);
      return;
    }
    const window = { start: addDays(end, 1 - END_DATE_DAYS), end };
    const model = this.#filters.get('model');
    const question: ApiQuestion = { endpoint, window };
    if (model !== undefined && (endpoint.scopes.model ?? null) !== null) question.filter = ['model', model];
    if (endpoint.hasTimezone) question.zone = FAR_ZONE;
    const second = await this.#ask(name, question);
    const found = verdicts.endDateSeen(base.days, second?.days ?? [], window);
    this.#probed(base, 'window', found === null ? null : found !== 'ignored');
    if (!this.#endDates.some((one) => one.family.includes(name) && one.found !== null))
      this.#endDates.push({ endpoint: name, family, configured, found });
    if (second !== null && endpoint.hasTimezone) {
      const zone = this.#of.config.sync.timezone;
      const agrees = agreeOnDays(second.placed, base.placed);
      const setting = zone === 'UTC' ? null : 'sync.timezone: UTC';
      this.add('filter timezone', name, verdicts.effectOf(agrees, setting));
    }
    await this.#instants(endpoint, base);
    await this.#filtersOf(endpoint, { base, window, byModel: second });
    await this.#grouping(endpoint);
  }

  /** Whether date-times other than midnight are UTC days: one requested alone has the same figures. */
  async #instants(endpoint: Endpoint, base: ApiReply): Promise<void> {
    const { shiftedDay: day } = base.placed;
    if (day === null || endpoint.cut.kind !== 'series') return;
    const reply = await this.#of.questioner.ask({ endpoint, window: { start: day, end: day } });
    const isOwn = reply.kind === 'answered' && confirms(reply.placed, base.placed);
    this.#probed(base, 'zone', isOwn);
    this.add('instants', endpoint.name, verdicts.instantsTold(isOwn, this.#of.config.api.instants));
  }

  /** The longest daily answer of the server, up to the longest window of a sync. */
  async #base(endpoint: Endpoint): Promise<ApiReply | null> {
    const { name } = endpoint;
    const length = this.#settings(name)?.maxWindowDays ?? MAX_WINDOW_DAYS;
    const { start: first, end } = this.#window(length);
    const window = { start: maxDay(first, this.#oldest ?? first), end };
    const whole = await this.#of.questioner.ask({ endpoint, window });
    const tell = (...told: verdicts.Told): void => this.add('longest window', name, told);
    const shorter = (days: number): string => `sync.endpoints.${name}.max_window_days: ${days}`;
    if (whole.kind === 'answered' && (endpoint.cut.kind === 'dated' || !verdicts.isSparse(whole.days))) {
      this.#shapes.set(name, whole);
      const verdict = length === MAX_WINDOW_DAYS ? 'as documented' : 'as set';
      if (whole.days.length > 0 && this.#oldest === null)
        tell(verdict, `windows of ${length} days are answered by day`);
      return whole;
    }
    if (whole.kind === 'refused' && !whole.isBadQuestion) {
      this.#refused('path', name, whole);
      return null;
    }
    const { longest, oldest } = verdicts.readRefusal(whole.kind === 'refused' ? whole.message : null);
    const shortDays = Math.min(longest ?? SHORT_DAYS, SHORT_DAYS);
    const start = maxDay(this.#window(shortDays).start, oldest ?? window.start);
    const short = await this.#ask(name, { endpoint, window: { start, end: this.#end } });
    if (short === null) return null;
    if (whole.kind === 'answered') {
      const isSparse = verdicts.isSparse(short.days);
      this.#probed(whole, 'steps', isSparse ? null : false);
      if (isSparse) tell('cannot tell', 'too few days with figures');
      else tell('to set', 'longer windows are not answered by day', shorter(SHORT_DAYS));
    } else if (oldest !== null && oldest > window.start) this.#oldest = oldest;
    else {
      const isNamed = whole.code !== null || longest !== null;
      const old = { endpoint, window: daysFrom(window.start) };
      if (!isNamed && (await this.#of.questioner.ask(old)).kind === 'refused') {
        tell('cannot tell', 'the server keeps fewer days');
        this.#oldest ??= start;
      } else {
        const days = longest !== null && longest < length ? longest : SHORT_DAYS;
        tell('to set', 'longer windows are refused', shorter(days));
      }
    }
    return short;
  }

  async #filtersOf(
    endpoint: Endpoint,
    { base, window, byModel }: { base: ApiReply; window: DayRange; byModel: ApiReply | null },
  ): Promise<void> {
    const { name, scopes } = endpoint;
    const used = askedScopes(this.#of.config.sync, endpoint);
    for (const scope of SCOPES) {
      const parameter = scopes[scope] ?? null;
      const isUsed = used.includes(scope);
      if (parameter === null || (scope !== 'model' && !isUsed)) continue;
      const value = this.#filters.get(scope);
      if (value === undefined) {
        this.add(`filter ${parameter}`, name, ['cannot tell', 'the project has fewer than two values']);
        continue;
      }
      const question: ApiQuestion = { endpoint, window, filter: [scope, value] };
      const answer = scope === 'model' ? byModel : await this.#ask(name, question);
      if (answer === null) continue;
      const agrees = agreeOnDays(answer.placed, base.placed);
      this.#probed(answer, 'filter', agrees === null ? null : !agrees);
      const setting = isUsed ? verdicts.parametersOf(name) : null;
      this.add(`filter ${parameter}`, name, verdicts.effectOf(agrees, setting));
    }
  }

  async #grouping(endpoint: Endpoint): Promise<void> {
    const { cut, name } = endpoint;
    const grains = this.#settings(name)?.grains;
    if (cut.kind !== 'series' || !cut.grains.includes('week')) return;
    if (grains !== undefined && !grains.some((grain) => grain !== 'day')) {
      this.add('grouping', name, ['as set', 'sync asks by day only']);
      return;
    }
    const { start, end } = this.#window(SHORT_DAYS);
    const weeks = { start: periodStart(start, 'week'), end: addDays(periodStart(end, 'week'), -1) };
    const answer = await this.#ask(name, { endpoint, window: weeks, grain: 'week' });
    for (const [topic, told] of answer === null ? [] : verdicts.weekVerdicts(answer.days, name))
      this.add(topic, name, told);
  }

  /** The first day with figures, if it is after `sync.start_date`. */
  async oldestDay(): Promise<void> {
    const endpoint = this.#catalogue.named('visibility');
    const wanted = this.#of.config.sync.startDate;
    if (!this.#isEnabled('visibility') || (this.#oldest ?? this.#seenOldest) === null) {
      this.add('oldest day', 'visibility', ['cannot tell', 'the project has no figures']);
      return;
    }
    let bad = wanted;
    let good = this.#oldest ?? this.#seenOldest ?? wanted;
    const hasFigures = async (start: Day): Promise<boolean> => {
      const reply = await this.#of.questioner.ask({ endpoint, window: daysFrom(start) });
      if (reply.kind === 'answered') return oldestFigure(reply) !== null;
      this.#oldest = verdicts.readRefusal(reply.message).oldest ?? this.#oldest;
      return false;
    };
    if (good <= wanted || (this.#oldest === null && (await hasFigures(wanted)))) {
      this.add('oldest day', 'visibility', ['as documented', 'figures reach back to sync.start_date']);
      return;
    }
    for (let step = 0; step < MAX_AGE_STEPS; step += 1) {
      if (this.#oldest !== null || countDays(bad, good) <= END_DATE_DAYS) break;
      const middle = dayFromNumber(Math.floor((dayNumber(bad) + dayNumber(good)) / 2));
      if (await hasFigures(middle)) good = middle;
      else bad = middle;
    }
    const text = 'figures begin after sync.start_date';
    const about = `about ${this.#oldest ?? good}`;
    this.add('oldest day', 'visibility', ['to set', text, 'sync.start_date', about]);
  }

  /** Null if there is no answer; a verdict then has the reason. */
  async #ask(name: string, question: ApiQuestion): Promise<ApiReply | null> {
    const reply = await this.#of.questioner.ask(question);
    if (reply.kind === 'answered') {
      if (!this.#shapes.has(name)) this.#shapes.set(name, reply);
      return reply;
    }
    const { filter, grain, endpoint } = question;
    const parameter = filter === undefined ? null : (endpoint.scopes[filter[0]] ?? null);
    const other = grain === undefined ? 'path' : 'grouping';
    this.#refused(parameter === null ? other : `filter ${parameter}`, name, reply);
    return null;
  }

  #refused(topic: string, name: string, { isBadQuestion, message }: Refused): void {
    const setting = `sync.endpoints.${name}.${topic === 'path' && !isBadQuestion ? 'path' : 'parameters'}`;
    this.add(topic, name, ['to set', 'the server refuses the request', setting, message]);
  }

  add(...finding: Parameters<typeof verdicts.verdictOn>): void {
    this.#verdicts.push(verdicts.verdictOn(...finding));
  }

  /** Returns findings that save a run its own requests; nothing if undecided. */
  #probed(reply: ApiReply, suspected: Ignored, isObeyed: boolean | null): void {
    if (isObeyed === null) return;
    const verdict = isObeyed ? 'good' : 'ignored';
    this.#probes.push({ endpoint: reply.endpoint, parameter: parameterOf(reply, suspected), verdict });
  }

  /** Takes the most frequent value of those that a filter can select. */
  #choose(scope: Scope, rows: readonly Row[], column: string): void {
    const counts = new Map<string, number>();
    for (const { [column]: value } of rows) {
      if (typeof value === 'string') counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
    if (most !== undefined && counts.size > 1) this.#filters.set(scope, most[0]);
  }

  #window(days: number): DayRange {
    return { start: addDays(this.#end, 1 - days), end: this.#end };
  }

  #settings(name: string): EndpointSettings | undefined {
    return this.#of.config.sync.endpoints[name];
  }

  #isEnabled(name: string): boolean {
    return this.#settings(name)?.enabled ?? true;
  }
}

/** The days of a short window. */
function daysFrom(start: Day): DayRange {
  return { start, end: addDays(start, END_DATE_DAYS - 1) };
}

/** The first day whose point has a figure. */
function oldestFigure({ rows }: ApiReply): Day | null {
  const days = rows.flatMap(({ date, ...figures }) => {
    const hasFigure = Object.values(figures).some((figure) => figure !== null);
    return typeof date === 'string' && isDay(date) && hasFigure ? [date] : [];
  });
  return days.toSorted()[0] ?? null;
}

/** All endpoints with dates in the same folder of the API. */
function familyOf({ path }: Endpoint, catalogue: Catalogue): string[] {
  const folder = path.slice(0, path.lastIndexOf('/'));
  const isFolder = folder.split('/').length > 3;
  return catalogue.asked
    .filter((one) => one.cut.kind !== 'list' && one.cut.kind !== 'lookup')
    .filter((one) => one.path === path || (isFolder && one.path.startsWith(`${folder}/`)))
    .map(({ name }) => name);
}
