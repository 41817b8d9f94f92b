import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { readAnswer } from '../believe/read-answer.ts';
import type { Config } from '../config/config.ts';
import { readDeclaration } from '../config/declarations.ts';
import { ConfigurationError, checkYaml, parseYaml } from '../config/yaml.ts';
import { addDays, type DayRange } from '../day.ts';
import type { Parameter } from '../endpoints/endpoint.ts';
import { isObject } from '../endpoints/field.ts';
import { AnswerlakeError, usageError, type ExitCode } from '../errors.ts';
import { ApiError } from '../extract/api-error.ts';
import { fetchPage, requestOf } from '../extract/fetch-slice.ts';
import { readPages } from '../extract/read-pages.ts';
import { decodeText, PACKAGE_ROOT, shortPath } from '../files.ts';
import { dayOfRow, listsIn, missingRows, rowsIn } from '../own/answer.ts';
import { valueAt } from '../own/columns.ts';
import { declarationSchema, type OwnDeclaration } from '../own/declaration.ts';
import { defineOwn } from '../own/define-own.ts';
import * as seen from '../own/examine.ts';
import { amount, counted } from '../quantity.ts';
import type { AnswerPage, ArchivedAnswer } from '../slice.ts';
import { wholeOf } from '../check/variation.ts';
import { reachFirst, type Asking } from './check-api.ts';
import { switchFlag } from './flags.ts';
import type { CommandContext } from './host.ts';
import { projectFlag } from './selection-flags.ts';

/** Ready-made endpoint files, with their views in `views`. */
export const READY_MADE = join(PACKAGE_ROOT, 'config', 'own');

export const tryFlags = z.strictObject({
  project: projectFlag,
  noSamples: switchFlag('print no values of the answer'),
});

export type TryFlags = z.output<typeof tryFlags>;

/** `answerlake endpoints try FILE|NAME`: what a declaration loads from the server; stores nothing. */
export async function tryEndpoint(context: CommandContext, word: string, flags: TryFlags): Promise<ExitCode> {
  const config = context.loadConfig({ isStrict: false });
  const path = findFile(config, word);
  const words: unknown = parseYaml(decodeText(readFileSync(path)), shortPath(path)).value;
  const isDraft =
    isObject(words) && 'path' in words && ['key', 'ask', 'columns'].every((word) => !(word in words));
  const declaration = isDraft ? drafted(words, path) : declared(path);
  const { openClients } = await import('../extract/clients.ts');
  await using clients = openClients({ context: await context.runContext(config, 'warn') });
  const asking = await reachFirst(context, config, { clients, project: flags.project });
  const report = await (isDraft ? lookAtDraft : lookAt)(declaration, asking).catch(refusedBy);
  const { body, rows, findings, requestsANight } = report;
  const exitCode = findings.some(({ isProblem }) => isProblem) ? 3 : 0;
  const fields = seen.fieldsOf(rows).map((field) => ({
    ...fieldJson(field, flags.noSamples),
    is_declared: seen.isDeclared(declaration, field.path),
  }));
  const taken = [...(declaration.date === null ? [] : [declaration.date]), ...declaration.leave_out];
  const undeclared = seen.fieldsOf(rows).filter(({ path: one }) => !seen.isDeclared(declaration, one));
  const columns =
    isDraft && body !== null
      ? seen.proposeFile(words, body)
      : seen.columnLines(
          undeclared,
          taken,
          declaration.key.map((field) => field.path),
        );
  const facts = {
    exit_code: exitCode,
    file: path,
    rows: rows.length,
    rows_at: declaration.rows ?? null,
    requests_a_night: requestsANight,
    findings: findings.map(({ text, isProblem }) => ({ text, is_problem: isProblem })),
    fields,
    columns: columns.join('\n'),
    requests: asking.client.totals.requests,
  };
  context.printResult(facts, () =>
    [
      `${shortPath(path)}: ${counted(rows.length, 'row')}${requestsANight === null ? '' : `, ${counted(requestsANight, 'request')} a project and night`}`,
      ...fields.map(
        ({ path: name, type, null_share: nullShare, entries, is_declared: isDeclared, ...rest }) =>
          `  ${isDeclared ? ' ' : '+'} ${name}: ${entries === null ? (type ?? NO_VALUE) : `list of ${entries.length === 0 ? (type ?? NO_VALUE) : 'rows'}`}${nullShare > 0 ? `, ${amount(Math.round(100 * nullShare))} % null` : ''}${typeof rest.sample === 'string' ? `, for example ${rest.sample}` : ''}`,
      ),
      ...(columns.length === 0 ? [] : ['', ...columns]),
      ...(findings.length === 0
        ? ['A sync would load all of it.']
        : ['', ...findings.map(({ text, isProblem }) => `${isProblem ? 'wrong' : 'note'}: ${text}`)]),
    ].join('\n'),
  );
  if (exitCode === 0) context.next(['answerlake plan', 'what a sync with it requests']);
  else context.next([`answerlake endpoints try ${word}`, 'again, after this change']);
  return exitCode;
}

interface FieldJson extends Pick<seen.FoundField, 'path' | 'type'> {
  null_share: number;
  entries: FieldJson[] | null;
  sample?: string | null;
}

/** A field for `--json`; without samples, those of its entries are left out too. */
function fieldJson({ nullShare, entries, sample, ...field }: seen.FoundField, isBare: boolean): FieldJson {
  const inner = entries?.map((entry) => fieldJson(entry, isBare)) ?? null;
  return { ...field, null_share: nullShare, entries: inner, ...(isBare ? {} : { sample }) };
}

const NO_VALUE = 'no value';

/** A named file, one of the folder, or a ready-made one. @throws AnswerlakeError (configuration) */
function findFile({ endpointsDir }: Config, word: string): string {
  const name = /[/\\.]/.test(word) ? null : `${word}.yaml`;
  const places = name === null ? [word] : [join(endpointsDir, name), join(READY_MADE, name)];
  const found = places.find((place) => existsSync(place));
  if (found !== undefined) return found;
  throw usageError([
    `There is no file ${places.map(shortPath).join(' or ')}.`,
    'Write one with the line path: /api/…, and try it.',
  ]);
}

/** @throws ConfigurationError */
function declared(path: string): OwnDeclaration {
  const { declaration, problems } = readDeclaration(path);
  if (declaration === null) throw new ConfigurationError(problems);
  return declaration;
}

/** A file that names its path, and perhaps parameters. @throws ConfigurationError */
function drafted(words: Readonly<Record<string, unknown>>, path: string): OwnDeclaration {
  const source = parseYaml(JSON.stringify({ key: ['id'], ...words }), shortPath(path));
  const checked = checkYaml(source, declarationSchema(basename(path, '.yaml')));
  if ('problems' in checked) throw new ConfigurationError(checked.problems);
  return checked.value;
}

/** The findings from the answers to a declaration. */
interface Report {
  body: unknown;
  rows: readonly unknown[];
  requestsANight: number | null;
  findings: readonly seen.Finding[];
}

const DAYS = 28;

/** A lone path, requested once: a proposal for the rest of the file. */
async function lookAtDraft(declaration: OwnDeclaration, asking: Asking): Promise<Report> {
  const { body } = await askPages(declaration, { ...asking, parent: null, most: 1 }, null);
  const rows = rowsIn(seen.longestList(body), body) ?? [];
  let what =
    'the file has only a path: write the lines that are proposed, correct them where the page of the API differs, and try again';
  if (!Array.isArray(body) && listsIn(body).length === 0)
    what = `${missingRows(declaration, body)}: no declaration can describe it`;
  else if (rows.length === 0) what = 'the answer has no rows: try a project that has some';
  else if (!rows.every(isObject))
    what = 'its rows are not objects, so they have no fields: no declaration can describe them';
  return { body, rows, findings: [seen.problem(what)], requestsANight: null };
}

async function lookAt(declaration: OwnDeclaration, asking: Asking): Promise<Report> {
  const isList = declaration.ask === 'list';
  const asked = isList ? null : { start: addDays(asking.today, -DAYS), end: addDays(asking.today, -1) };
  const parent = await parentOf(declaration, asking);
  const ask = async (range: DayRange | null): Promise<unknown> =>
    (await askPages(declaration, { ...asking, parent, most: 1 }, range)).body;
  const { body, answer } = await askPages(declaration, { ...asking, parent, most: 1 }, asked);
  const { body: again, incomplete } = await askPages(declaration, { ...asking, parent, most: 2 }, asked);
  const rows = rowsIn(declaration, body) ?? [];
  const findings = [...seen.examine(declaration, body, asked)];
  if (!findings.some(({ isProblem }) => isProblem)) findings.push(...refusals(declaration, answer));
  if (incomplete !== undefined && !findings.some(({ isProblem }) => isProblem))
    findings.push(seen.problem(`a sync would be incomplete: ${incomplete}: ${WRITE_PAGES}`));
  if (!seen.isSameOrder(declaration, body, again))
    findings.push(
      seen.problem(
        'the same request returned other rows, or another order: add the sort parameter, for example query: { sortBy: createdAt, sortOrder: asc }',
      ),
    );
  if (asked !== null && declaration.ask !== 'window')
    findings.push(...(await endsOf(declaration, rows, ask)));
  return { body, rows, findings, requestsANight: nightly(declaration, body, asking) };
}

/** Whether both ends of a range count: requests the day before the newest row alone, and if need be with the day after. */
async function endsOf(
  declaration: OwnDeclaration,
  rows: readonly unknown[],
  ask: (range: DayRange) => Promise<unknown>,
): Promise<seen.Finding[]> {
  const days = rows.flatMap((row) => dayOfRow(declaration, row) ?? []).toSorted();
  const newest = days.at(-1);
  const day = days.findLast((one) => newest !== undefined && one < newest);
  if (day === undefined) return [];
  const has = async (range: DayRange): Promise<boolean> =>
    (rowsIn(declaration, await ask(range)) ?? []).some((row) => dayOfRow(declaration, row) === day);
  if (await has({ start: day, end: day })) return [];
  const write = (await has({ start: day, end: addDays(day, 1) }))
    ? 'write end_date: exclusive'
    : 'check the names in days or instants';
  return [seen.problem(`${day} has rows, but none when requested alone: ${write}`)];
}

/** An id for `{id}`; null if the declaration has none. */
async function parentOf({ parents }: OwnDeclaration, asking: Asking): Promise<string | null> {
  const { config, client, projectHeader, signal } = asking;
  if (parents === null) return null;
  const own = config.own.declarations.find(({ name }) => name === parents.of);
  const list = own ?? { path: '/api/v1/prompts', rows: 'prompts', key: [{ path: 'id' }] };
  const asked = { path: list.path, query: [], projectId: projectHeader, withKey: true, signal };
  const [first] = rowsIn(list, (await client.get(asked)).body) ?? [];
  const id = valueAt(first, list.key[0]?.path ?? 'id');
  if (typeof id === 'string' || typeof id === 'number') return String(id);
  throw usageError(`for: ${parents.of}: the list has no row with an id, so there is nothing to request.`);
}

const WRITE_PAGES =
  'write the parameters that this path takes, for example pages: { by: offset, names: { offset: skip, limit: take } }';

/** @param most pages to request */
type AskingPages = Asking & { parent: string | null; most: number };

/** `answer`: the first page as a sync would archive it. */
interface AskedPages {
  body: unknown;
  answer: ArchivedAnswer;
  incomplete?: string | undefined;
}

/** The first page of an answer and, as far as the requested pages show, why a sync would not have the whole list. */
async function askPages(
  declaration: OwnDeclaration,
  asking: AskingPages,
  asked: DayRange | null,
): Promise<AskedPages> {
  const { client, projectId, projectHeader, config, signal, parent, today, most } = asking;
  const endpoint = defineOwn(declaration);
  const { leaveOut } = endpoint;
  const scope = parent === null ? 'project' : 'parent';
  const target = { endpoint: declaration.name, projectId, scope, scopeId: parent ?? projectId } as const;
  const isExclusive = (declaration.end_date ?? config.api.endDate) === 'exclusive';
  const sent = asked !== null && isExclusive ? { ...asked, end: addDays(asked.end, 1) } : asked;
  const startedAt = Date.parse(today) + 86_400_000;
  const request = requestOf(config, {
    endpoint,
    ...wholeOf(endpoint, target, asked),
    asked: sent,
    limit: endpoint.limit,
    startedAt,
    today,
    projectHeader,
    signal,
  });
  const pages = new Map<number, AnswerPage>();
  const enough = new Error('enough pages');
  const getPage = async (page: number, paging: readonly Parameter[]): Promise<AnswerPage> => {
    if (page > most) throw enough;
    // A list that is not whole is read again.
    const answer = pages.get(page) ?? { page, ...(await fetchPage(client, request, paging)) };
    pages.set(page, answer);
    return answer;
  };
  const { incomplete } = await readPages(getPage, { ...request, paging: endpoint.paging }).catch(
    (error: unknown) => {
      if (error === enough) return { incomplete: undefined };
      throw error;
    },
  );
  const all = [...pages.values()].map((page) => ({ ...page, body: leaveOut?.(page.body) ?? page.body }));
  const run = {
    runId: 'try',
    startedAt,
    syncDay: today,
    acceptShrink: false,
    acceptScale: false,
  };
  const answer = {
    ...request,
    ...run,
    baseUrl: config.api.baseUrl,
    instants: config.api.instants,
    account: '',
    declared: endpoint.declared ?? undefined,
    requests: all.length,
    pages: all,
  };
  return { body: all[0]?.body, answer, incomplete };
}

/** Why a sync would not store all of an answer. */
function* refusals(declaration: OwnDeclaration, answer: ArchivedAnswer): Generator<seen.Finding> {
  try {
    const {
      rejects: [first, ...others],
    } = readAnswer(defineOwn(declaration), answer);
    if (first === undefined) return;
    yield seen.problem(`a sync refuses ${counted(others.length + 1, 'row')}: ${first.path}: ${first.reason}`);
  } catch (error) {
    if (!(error instanceof AnswerlakeError)) throw error;
    yield seen.problem(`a sync stores nothing of it: ${error.message}`);
  }
}

/** Requests per project and night; null if the answer does not state the number of pages. */
function nightly(declaration: OwnDeclaration, body: unknown, { config }: Asking): number | null {
  const { ask, pages, parents, windows, limit } = declaration;
  const { length } = rowsIn(declaration, body) ?? [];
  const nights = (declaration.lookback_days ?? config.sync.lookbackDays) + 1;
  if (parents !== null) return parents.atMost;
  if (ask === 'window') return (windows ?? config.sync.windows).length;
  // Each day of the look-back alone, at most.
  if (pages === undefined) return ask === 'series' && length >= (limit?.rows ?? Infinity) ? nights : 1;
  if (pages.by === 'cursor') return null;
  const total = Number(valueAt(body, pages.names.total));
  if (!Number.isFinite(total)) return null;
  const [asked, days] = ask === 'list' ? [1, 1] : [nights, DAYS];
  const size = length === 0 || length >= total ? pages.size : Math.min(pages.size, length);
  return asked * Math.max(1, Math.ceil(total / days / size));
}

/** A refusal of the path is a finding; anything else ends the command. */
function refusedBy(error: unknown): Report {
  const isRefusal = error instanceof ApiError && ![401, 429].includes(error.status ?? 0);
  if (!isRefusal || error.class === 'transient') throw error;
  const findings = [
    seen.problem(`the server refuses it: ${error.message}: compare path and query with the page of the API`),
  ];
  return { body: null, rows: [], requestsANight: null, findings };
}
