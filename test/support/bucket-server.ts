import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';
import { listen } from './scripted-server.ts';

const ACCESS_KEY = 'test-access-key';
const SECRET = 'test-secret-key';
const PAGE = 2;

export interface BucketServer {
  /** By `bucket/key`. */
  objects: Map<string, Buffer>;
  requests: number;
  /** Keys may only read. */
  isReadOnly: boolean;
  /** Every request is answered with 503. */
  isAway: boolean;
  /** There is no bucket of any name. */
  isMissing: boolean;
  env: Record<string, string>;
}

/** Storage that speaks as much of S3 as is used, addressed by path; it checks every signature itself. */
export async function startBucketServer(): Promise<BucketServer> {
  const objects = new Map<string, Buffer>();
  const state: BucketServer = {
    objects,
    requests: 0,
    isReadOnly: false,
    isAway: false,
    isMissing: false,
    env: {},
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      state.requests += 1;
      const { status, body } = answer(state, request, Buffer.concat(chunks));
      response.writeHead(status).end(body);
    });
  });
  const port = await listen(server);
  onTestFinished(() => void server.close());
  state.env = {
    AWS_ACCESS_KEY_ID: ACCESS_KEY,
    AWS_SECRET_ACCESS_KEY: SECRET,
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
  };
  return state;
}

interface Answer {
  status: number;
  body: Buffer | string;
}

function answer({ objects, ...state }: BucketServer, request: IncomingMessage, body: Buffer): Answer {
  if (!isSigned(request, body)) {
    return { status: 403, body: '<Error><Code>SignatureDoesNotMatch</Code></Error>' };
  }
  if (state.isAway) return { status: 503, body: '<Error><Code>ServiceUnavailable</Code></Error>' };
  if (state.isMissing) return { status: 404, body: '<Error><Code>NoSuchBucket</Code></Error>' };
  if (state.isReadOnly && request.method !== 'GET') {
    return { status: 403, body: '<Error><Code>AccessDenied</Code></Error>' };
  }
  const url = new URL(request.url ?? '', 'http://localhost');
  const name = decodeURIComponent(url.pathname.slice(1));
  if (url.searchParams.has('list-type')) {
    return { status: 200, body: listing(objects, `${name}/`, url.searchParams) };
  }
  if (request.method === 'PUT') objects.set(name, body);
  const found = objects.get(name);
  if (request.method === 'DELETE') objects.delete(name);
  if (found === undefined) return { status: 404, body: '<Error><Code>NoSuchKey</Code></Error>' };
  return { status: 200, body: request.method === 'GET' ? found : '' };
}

function listing(objects: Map<string, Buffer>, bucket: string, query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? '';
  const after = query.get('continuation-token') ?? '';
  const below = [...objects.keys()]
    .map((name) => name.slice(bucket.length))
    .filter((key) => key.startsWith(prefix));
  const folderOf = (key: string): string => {
    const end = query.has('delimiter') ? key.indexOf('/', prefix.length) : -1;
    return end < 0 ? key : key.slice(0, end + 1);
  };
  const keys = [...new Set(below.map(folderOf))].filter((key) => key > after).toSorted();
  const page = keys.slice(0, PAGE);
  const isCut = keys.length > page.length;
  const escaped = (text = ''): string => text.replaceAll('&', '&amp;');
  const contents = page.map((key) => {
    if (key.endsWith('/')) return `<CommonPrefixes><Prefix>${escaped(key)}</Prefix></CommonPrefixes>`;
    const size = objects.get(`${bucket}${key}`)?.length ?? 0;
    return `<Contents><Key>${escaped(key)}</Key><Size>${size}</Size></Contents>`;
  });
  const token = isCut ? `<NextContinuationToken>${escaped(page.at(-1))}</NextContinuationToken>` : '';
  return `<ListBucketResult><IsTruncated>${isCut}</IsTruncated>${token}${contents.join('')}</ListBucketResult>`;
}

const CREDENTIAL =
  /Credential=[^/]+\/(\d+)\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)/;

/** Computes the signature (version 4) once more, from what arrived. */
function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const { headers, method } = request;
  const [, day = '', region = '', names = '', signature = ''] =
    CREDENTIAL.exec(headers.authorization ?? '') ?? [];
  if (headers['x-amz-content-sha256'] !== sha256(body)) return false;
  const url = new URL(request.url ?? '', 'http://localhost');
  const path = url.pathname
    .split('/')
    .map((part) => strict(decodeURIComponent(part)))
    .join('/');
  const query = [...url.searchParams]
    .map(([name, value]) => `${strict(name)}=${strict(value)}`)
    .toSorted()
    .join('&');
  const signed = names
    .split(';')
    .map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`)
    .join('');
  const canonical = [method, path, query, signed, names, sha256(body)].join('\n');
  const scope = [day, region, 's3', 'aws4_request'];
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope.join('/'), sha256(canonical)].join('\n');
  const key = scope.reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${SECRET}`);
  return hmac(key, text).toString('hex') === signature;
}

function strict(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
