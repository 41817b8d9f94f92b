import { Agent, EnvHttpProxyAgent, type Dispatcher } from 'undici';
import { usageError } from './errors.ts';
import { isLoopback } from './secret.ts';

/** Connects to an address: through the proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name for it, or directly. The caller closes it. @throws as `proxyOf` */
export function openDispatcher(address: string, options: Agent.Options = {}): Dispatcher {
  const proxy = proxyOf(address, process.env)?.url.href;
  if (proxy === undefined) return new Agent(options);
  return new EnvHttpProxyAgent({ ...options, httpProxy: proxy, httpsProxy: proxy });
}

type Env = Readonly<Record<string, string | undefined>>;

/** The proxy that the variables name for an address; null without one. @throws AnswerlakeError (configuration) if it cannot be read */
export function proxyOf(address: string, env: Env): { url: URL; variable: string } | null {
  const { protocol, hostname } = new URL(address);
  if (isLoopback(hostname)) return null;
  const names = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'];
  const variable = names.slice(protocol === 'https:' ? 0 : 2).find((name) => env[name]);
  if (variable === undefined) return null;
  const text = env[variable] ?? '';
  // As curl: without a scheme it is http, and then without a port 1080.
  const [, place = ''] = /^(?:\S*@)?([^@\s/]*)\/?$/.exec(text) ?? [];
  const whole = text.includes('://') ? text : `http://${text}${/:\d+$/.test(place) ? '' : ':1080'}`;
  const url = URL.canParse(whole) ? new URL(whole) : null;
  const isKnown = url !== null && url.hostname !== '' && /^(?:https?|socks5?):$/.test(url.protocol);
  if (isKnown && /^\/?$/.test(url.pathname + url.search + url.hash)) return { url, variable };
  throw usageError([
    `${variable} is not the address of a proxy:`,
    'write it like http://proxy.example.com:3128, with user and password percent-encoded.',
  ]);
}

/** The proxy settings for an address, for people: without a password; null if none is set. @throws as `proxyOf` */
export function describeProxy(address: string, env: Env): string | null {
  const host = proxyOf(address, env)?.url.host;
  const except = env['no_proxy'] || env['NO_PROXY'];
  return host === undefined || !except ? (host ?? null) : `${host}, except for NO_PROXY ${except}`;
}

/** The message of a failed connection if the proxy failed, with the variable that names it; else null. */
export function proxyFault(address: string, message: string): string | null {
  const proxy = proxyOf(address, process.env);
  if (proxy === null) return null;
  const { url, variable } = proxy;
  const port = `:${url.port || (url.protocol === 'https:' ? '443' : '80')}`;
  const words = message.split(/[\s,()]+/);
  const isOfProxy =
    words[0] === 'Proxy' || words.some((word) => word === url.hostname || word.endsWith(port));
  return isOfProxy ? `the proxy ${url.host} (${variable}) does not let requests through: ${message}` : null;
}

/** The remedy for a `proxyFault`. */
export const PROXY_ADVICE = 'correct that variable, or name the server in NO_PROXY if it needs no proxy';

/** Codes and texts of OpenSSL and Node for a certificate that is not trusted. */
const CERTIFICATE = /CERT_|_CERT\b|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)|ALTNAME/;

/** Whether a connection failed because the server's certificate was refused: a retry changes nothing. */
export function isCertificateRefused(codeOrMessage: string): boolean {
  return CERTIFICATE.test(codeOrMessage);
}
