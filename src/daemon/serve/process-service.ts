import { hostname } from 'node:os';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Config } from '../../config/config.ts';
import { messageOf, usageError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { landingProblems, watchQueue, type QueueState } from '../../scale/queue/queue-state.ts';
import type { Secret } from '../../secret.ts';
import { openHttpServer, text, type HttpServer } from './http-server.ts';
import { queueMetrics } from './metrics.ts';

export interface ProcessServiceOptions {
  config: Pick<Config, 'http'>;
  url: Secret;
  log: Log;
}

/** Health and metrics of a worker or a loader. @throws AnswerlakeError (configuration) without `http.port`, or when it is taken */
export async function openProcessService({ config, url, log }: ProcessServiceOptions): Promise<HttpServer> {
  const { host, port } = config.http;
  if (port === 0)
    throw usageError('--http needs http.port in the configuration, for example http: { port: 9464 }.');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'answerlake_' });
  const look = async (): Promise<QueueState | string> => await watchQueue(url).catch(messageOf);
  const routes = {
    '/healthz': async () => text(200, 'ok'),
    '/readyz': async () => {
      const state = await look();
      const problem = typeof state === 'string' ? state : problemHere(state);
      return problem === undefined ? text(200, 'ok') : text(503, problem);
    },
    '/metrics': async () => {
      const state = await look();
      const body =
        (await registry.metrics()) + (await queueMetrics(typeof state === 'string' ? null : state));
      return { status: 200, contentType: registry.contentType, body };
    },
  };
  const server = await openHttpServer({ host, port, log, routes });
  log.info('http.listening', { url: server.url });
  return server;
}

function problemHere({ processes }: QueueState): string | undefined {
  return landingProblems(processes).find(({ host }) => host === hostname())?.problem;
}
