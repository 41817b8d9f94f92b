import type { IncomingMessage } from 'node:http';
import type { Simulator } from '../../simulator/simulator.ts';
import type { Alteration, Exchange, OtherQuestion } from './alteration.ts';
import { dayOfNight } from './attacked-api.ts';
import { diceOf } from './dice.ts';
import { json, openScriptedServer, type Reply } from '../support/scripted-server.ts';

/** An alteration, and the answers that it alters. */
export interface Placement {
  alteration: Alteration;
  /** Paths whose answers it alters; null: all answers. */
  paths: ReadonlySet<string> | null;
  /** Null: the answers of all projects. */
  projectId: string | null;
  /** Decides all chance of the alteration. */
  seed: string;
  /** First night on which it alters answers. */
  from: number;
  nights: number;
}

export interface AlteredAnswer {
  placement: Placement;
  path: string;
  projectId: string | null;
  query: URLSearchParams;
}

export interface ServedNight {
  placements: readonly Placement[];
  tonight: Simulator;
  before: Simulator;
  now: () => number;
}

interface Question {
  path: string;
  query: URLSearchParams;
  apiKey: string | undefined;
  projectId: string | undefined;
}

interface Right {
  status: number;
  text: string;
}

/** Each night is served in many cases, and a simulator gives the same answer each time. */
const rightAnswers = new WeakMap<Simulator, Map<string, Right>>();

function rightAnswer(simulator: Simulator, { path, query, ...who }: Question): Right {
  const known = rightAnswers.get(simulator) ?? new Map<string, Right>();
  rightAnswers.set(simulator, known);
  const name = [path, query, who.apiKey, who.projectId].join(' ');
  const before = known.get(name);
  if (before !== undefined) return before;
  const { status, body } = simulator.answer(path, [...query], who);
  const right = { status, text: JSON.stringify(body) };
  known.set(name, right);
  return right;
}

/** A server on loopback that answers for a simulator and alters some of its answers. */
export async function openAlteringServer() {
  /** Requests of the night by path. */
  const requests = new Map<string, number>();
  const altered: AlteredAnswer[] = [];
  const cache = new Map<string, unknown>();
  let night: ServedNight | undefined;

  function answer(question: Question) {
    if (night === undefined) throw new Error('no night has begun');
    const { placements, tonight, now } = night;
    const { path, query, projectId = null } = question;
    requests.set(path, (requests.get(path) ?? 0) + 1);
    const { status, text } = rightAnswer(tonight, question);
    const headers: Record<string, string> = { date: new Date(now()).toUTCString() };
    const sent = { status, headers, body: JSON.parse(text) as unknown };
    for (const placement of placements) {
      if (placement.paths !== null && !placement.paths.has(path)) continue;
      const isUnknownProject = sent.status === 404 && placement.alteration.ignoresProject === true;
      if (sent.status !== 200 && !isUnknownProject) continue;
      if (placement.projectId !== null && placement.projectId !== projectId) continue;
      const body = structuredClone(sent.body);
      const change = placement.alteration.alter({
        ...exchangeOf(night, placement, { question, body }),
        cache,
      });
      if (change === undefined) continue;
      Object.assign(sent, change, { headers: { ...sent.headers, ...change.headers } });
      altered.push({ placement, path, projectId, query });
    }
    return sent;
  }

  const reply = (message: IncomingMessage): Reply => {
    try {
      const { status, headers, body } = answer(questionOf(message));
      return json(body, status, headers);
    } catch (error) {
      console.error(error);
      return (response) => void response.destroy();
    }
  };
  const server = await openScriptedServer((_number, message) => reply(message));
  return {
    origin: server.origin,
    requests,
    altered,
    begin: (next: ServedNight): void => {
      night = next;
      requests.clear();
      altered.length = 0;
      cache.clear();
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function questionOf({ url, headers }: IncomingMessage): Question {
  const { pathname, searchParams } = new URL(url ?? '/', 'http://server');
  return {
    path: pathname,
    query: searchParams,
    apiKey: headers['x-api-key']?.toString(),
    projectId: headers['x-project-id']?.toString(),
  };
}

function exchangeOf(
  { tonight, before, now }: ServedNight,
  { seed, from }: Placement,
  { question, body }: { question: Question; body: unknown },
): Omit<Exchange, 'cache'> {
  const ask = ({ query: changes = {}, isFirstProject = false, isStale = false }: OtherQuestion): unknown => {
    const query = new URLSearchParams(question.query);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) query.delete(name);
      else query.set(name, value);
    }
    const first = isFirstProject ? { projectId: tonight.world.projects[0]?.id ?? '' } : {};
    const { text } = rightAnswer(isStale ? before : tonight, { ...question, ...first, query });
    return JSON.parse(text);
  };
  return {
    path: question.path,
    query: question.query,
    now: now(),
    today: tonight.today,
    since: dayOfNight(from),
    body,
    fixed: diceOf(seed),
    dice: diceOf(seed, question.projectId ?? '', question.path, String(question.query)),
    ask,
  };
}
