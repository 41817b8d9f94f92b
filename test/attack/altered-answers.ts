import type { AnswerRequest } from '../../simulator/answer.ts';
import type { Answer } from '../../simulator/refusal.ts';
import type { Simulator } from '../../simulator/simulator.ts';
import type { Alteration, Exchange, OtherQuestion } from './alteration.ts';
import { dayOfNight } from './attacked-api.ts';
import { diceOf } from './dice.ts';

/** An alteration, and the answers that it alters. */
export interface Placement {
  alteration: Alteration;
  /** Paths whose answers it alters. */
  paths: ReadonlySet<string>;
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

type Question = Pick<AnswerRequest, 'path' | 'query' | 'apiKey' | 'projectId'>;

interface Right {
  status: number;
  text: string;
}

/** Each night is served in many cases, and a simulator gives the same answer each time. */
const rightAnswers = new WeakMap<Simulator, Map<string, Right>>();

function rightAnswer(simulator: Simulator, { path, query, ...who }: Question): Answer {
  const known = rightAnswers.get(simulator) ?? new Map<string, Right>();
  rightAnswers.set(simulator, known);
  const name = [path, String(parametersOf(query)), who.apiKey, who.projectId].join(' ');
  let right = known.get(name);
  if (right === undefined) {
    const { status, body } = simulator.answer(path, query, who);
    right = { status, text: JSON.stringify(body) };
    known.set(name, right);
  }
  return { status: right.status, headers: {}, body: JSON.parse(right.text) };
}

const parametersOf = (query: Question['query']): URLSearchParams =>
  new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]));

/** What an override of all answers is for. */
export const everything = (): boolean => true;

/** Makes a server answer as that of the night does, but for what the placements alter; returns what they did alter. */
export function serveNight(server: Simulator, night: ServedNight): readonly AlteredAnswer[] {
  const altered: AlteredAnswer[] = [];
  const cache = new Map<string, unknown>();
  server.override(everything, ({ path, query, apiKey, projectId }, usual) => {
    const question = { path, query, apiKey, projectId };
    const isItself = server === night.tonight;
    let sent = isItself ? usual : rightAnswer(night.tonight, question);
    if (!isItself) sent.headers = { date: new Date(night.now()).toUTCString() };
    for (const placement of night.placements) {
      if (!placement.paths.has(path)) continue;
      const isUnknownProject = sent.status === 404 && placement.alteration.ignoresProject === true;
      if (sent.status !== 200 && !isUnknownProject) continue;
      if (placement.projectId !== null && placement.projectId !== projectId) continue;
      const exchange = exchangeOf(night, placement, { question, body: structuredClone(sent.body) });
      const change = placement.alteration.alter({ ...exchange, cache });
      if (change === undefined) continue;
      sent = { ...sent, ...change, headers: { ...sent.headers, ...change.headers } };
      altered.push({ placement, path, projectId: projectId ?? null, query: exchange.query });
    }
    return sent;
  });
  return altered;
}

function exchangeOf(
  { tonight, before }: ServedNight,
  { seed, from }: Placement,
  { question, body }: { question: Question; body: unknown },
): Omit<Exchange, 'cache'> {
  const { path, projectId = '' } = question;
  const query = parametersOf(question.query);
  const ask = ({ query: changes = {}, isFirstProject = false, isStale = false }: OtherQuestion): unknown => {
    const changed = new URLSearchParams(query);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) changed.delete(name);
      else changed.set(name, value);
    }
    const first = isFirstProject ? { projectId: tonight.world.projects[0]?.id ?? '' } : {};
    return rightAnswer(isStale ? before : tonight, { ...question, ...first, query: [...changed] }).body;
  };
  return {
    path,
    query,
    today: tonight.today,
    since: dayOfNight(from),
    body,
    fixed: diceOf(seed),
    dice: diceOf(seed, projectId, path, String(query)),
    ask,
  };
}
