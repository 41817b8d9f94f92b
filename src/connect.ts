import { Agent, EnvHttpProxyAgent, type Dispatcher } from 'undici';
import { isLoopback } from './text.ts';

/** Connects to an address: through the proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name for it, or directly. The caller closes it. */
export function openDispatcher(address: string, options: Agent.Options = {}): Dispatcher {
  return isLoopback(new URL(address).hostname) ? new Agent(options) : new EnvHttpProxyAgent(options);
}

type Env = Readonly<Record<string, string | undefined>>;

/** The proxy settings for an address, for people: without a password; null when none is set. */
export function describeProxy(address: string, env: Env): string | null {
  const { protocol, hostname } = new URL(address);
  if (isLoopback(hostname)) return null;
  const http = env['http_proxy'] || env['HTTP_PROXY'];
  const proxy = protocol === 'https:' ? env['https_proxy'] || env['HTTPS_PROXY'] || http : http;
  if (!proxy) return null;
  const except = env['no_proxy'] || env['NO_PROXY'];
  const host = URL.canParse(proxy) ? new URL(proxy).host : 'an address that cannot be read';
  return except ? `${host}, except for NO_PROXY ${except}` : host;
}

/** Codes and texts of OpenSSL and Node for a certificate that is not trusted. */
const CERTIFICATE = /CERT_|_CERT\b|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)|ALTNAME/;

/** Whether a connection failed because the server's certificate was refused: trying again changes nothing. */
export function isCertificateRefused(codeOrMessage: string): boolean {
  return CERTIFICATE.test(codeOrMessage);
}
