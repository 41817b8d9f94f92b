import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { AwsV4Signer } from 'aws4fetch';
import { onTestFinished } from 'vitest';
import { listen } from './scripted-server.ts';

const ACCESS_KEY = 'test-access-key';
const SECRET = 'test-secret-key';
const REGION = 'us-east-1';
const PAGE = 2;

export interface BucketServer {
  /** By `bucket/key`. */
  objects: Map<string, Buffer>;
  requests: number;
  /** Keys may only read. */
  isReadOnly: boolean;
  /** Every request is answered with 500; `once`: the next one. */
  isAway: boolean | 'once';
  /** The next request is not answered. */
  isSilent: boolean;
  /** There is no bucket of any name. */
  isMissing: boolean;
  env: Record<string, string>;
  /** Which keys sign, with their secrets and the token that must come with them. */
  keys: Map<string, { secret: string; token?: string }>;
  /** Headers of the newest request. */
  headers: IncomingMessage['headers'];
}

/** Storage that speaks as much of S3 as is used, addressed by path; it checks every signature. */
export async function startBucketServer(): Promise<BucketServer> {
  const objects = new Map<string, Buffer>();
  const state: BucketServer = {
    objects,
    requests: 0,
    isReadOnly: false,
    isAway: false,
    isSilent: false,
    isMissing: false,
    env: {},
    keys: new Map([[ACCESS_KEY, { secret: SECRET }]]),
    headers: {},
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      state.requests += 1;
      state.headers = request.headers;
      const asked = { ...state };
      if (state.isAway === 'once') state.isAway = false;
      state.isSilent = false;
      if (asked.isSilent) return;
      void answer(asked, request, Buffer.concat(chunks)).then(({ status, body }) =>
        response.writeHead(status).end(body),
      );
    });
  });
  const port = await listen(server);
  onTestFinished(() => void server.close());
  state.env = {
    AWS_ACCESS_KEY_ID: ACCESS_KEY,
    AWS_SECRET_ACCESS_KEY: SECRET,
    AWS_REGION: REGION,
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
  };
  return state;
}

interface Answer {
  status: number;
  body: Buffer | string;
}

async function answer(
  { objects, keys, ...state }: BucketServer,
  request: IncomingMessage,
  body: Buffer,
): Promise<Answer> {
  if (!request.headers.authorization?.includes(`/${REGION}/s3/`))
    return { status: 301, body: '<Error><Code>PermanentRedirect</Code></Error>' };
  if (!(await isSigned(request, body, keys))) {
    return { status: 403, body: '<Error><Code>SignatureDoesNotMatch</Code></Error>' };
  }
  if (state.isAway !== false) return { status: 500, body: '<Error><Code>InternalError</Code></Error>' };
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

/** Signs what arrived once more, with the headers that were signed. */
async function isSigned(
  { headers, method = '', url = '' }: IncomingMessage,
  body: Buffer,
  keys: BucketServer['keys'],
): Promise<boolean> {
  const [, accessKeyId = '', names = ''] =
    /Credential=([^/]*)\/.*SignedHeaders=([^,]*)/.exec(headers.authorization ?? '') ?? [];
  const key = keys.get(accessKeyId);
  if (key === undefined || headers['x-amz-security-token'] !== key.token) return false;
  const signedHeaders = names.split(';').filter((name) => name.startsWith('x-amz-') && name !== 'x-amz-date');
  if (Object.keys(headers).some((name) => name.startsWith('x-amz-server') && !signedHeaders.includes(name)))
    return false;
  const signer = new AwsV4Signer({
    method,
    url: `http://${headers.host ?? ''}${url}`,
    headers: {
      ...Object.fromEntries(signedHeaders.map((name) => [name, String(headers[name])])),
      'x-amz-content-sha256': createHash('sha256').update(body).digest('hex'),
    },
    accessKeyId,
    secretAccessKey: key.secret,
    service: 's3',
    region: REGION,
    datetime: String(headers['x-amz-date']),
  });
  return (await signer.sign()).headers.get('authorization') === headers.authorization;
}
