import { Agent, EnvHttpProxyAgent, type Dispatcher } from 'undici';
import { orNull, usageError } from './errors.ts';
import { isLoopback } from './secret.ts';

/** Connects to an address: through the proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name for it, or directly. The caller closes it. @throws as `proxyOf` */
export function openDispatcher(address: string, options: Agent.Options = {}): Dispatcher {
  const proxy = proxyOf(address, process.env)?.url;
  if (proxy === undefined) return new Agent(options);
  const { href, username, password } = proxy;
  // undici sends a user without a password (a token) to no proxy.
  const user = [username, password].map(decodeURIComponent).join(':');
  const token = username === '' ? {} : { token: `Basic ${Buffer.from(user).toString('base64')}` };
  return new EnvHttpProxyAgent({ ...options, ...token, httpProxy: href, httpsProxy: href });
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
  const isWhole = isKnown && /^\/?$/.test(url.pathname + url.search + url.hash);
  if (isWhole && orNull(() => decodeURIComponent(url.username + url.password)) !== null)
    return { url, variable };
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

/** Codes of OpenSSL and Node for a certificate that is not trusted. */
const CERTIFICATE = /CERT_|_CERT\b|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)|ALTNAME/;

/** Why a connection to an address failed. */
export function connectionFault(address: string, error: unknown) {
  const first = firstOf(error);
  const code = typeof first.code === 'string' ? first.code : '';
  const text = typeof first.message === 'string' ? first.message : 'unknown';
  // OpenSSL's own message is a line of its source.
  const plain = code === 'ERR_SSL_WRONG_VERSION_NUMBER' ? 'the server speaks no TLS there' : text;
  const message = plain.includes(code) ? plain : `${plain} (${code})`;
  const fault = {
    code,
    /** With the code; names the proxy and its variable if it failed. */
    message,
    isOfProxy: false,
    /** What to correct; null if the connection may just be down. */
    advice: null as string | null,
    /** True if a retry changes nothing until then. */
    isFinal: false,
  };
  if (CERTIFICATE.test(code)) {
    const advice = 'name the certificate of its authority in NODE_EXTRA_CA_CERTS, or correct the address';
    return { ...fault, advice, isFinal: true };
  }
  const proxy = orNull(() => proxyOf(address, process.env));
  return proxy === null || !isOfProxy(message, proxy.url)
    ? fault
    : { ...fault, ...proxyFault(message, proxy) };
}

/** Failing to connect to several addresses is one error that contains one per address. */
export function firstOf(error: unknown): { name?: unknown; message?: unknown; code?: unknown } {
  const first: unknown = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  return typeof first === 'object' && first !== null ? first : { message: String(first) };
}

function isOfProxy(message: string, { hostname, port, protocol }: URL): boolean {
  const ending = `:${port || (protocol === 'https:' ? '443' : '80')}`;
  const words = message.split(/[\s,()]+/);
  return words[0] === 'Proxy' || words.some((word) => word === hostname || word.endsWith(ending));
}

function proxyFault(message: string, { url, variable }: { url: URL; variable: string }) {
  const [, status = ''] = /^Proxy response \((\d+)\)/.exec(message) ?? [];
  const name = `the proxy ${url.host} (${variable})`;
  const user = status === '407' ? ': write its user and password there, percent-encoded' : '';
  return {
    message:
      status === '' ? `${name} does not let requests through: ${message}` : `${name} answered ${status}`,
    isOfProxy: true,
    advice: `correct that variable${user}, or name the server in NO_PROXY if it needs no proxy`,
    // A 5xx: the proxy itself may be back in a moment.
    isFinal: status.startsWith('4'),
  };
}
