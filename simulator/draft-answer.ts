import { uuidOf } from './random.ts';
import { Refusal } from './refusal.ts';
import type { RouteRequest } from './route.ts';

/** Content ids for which the simulated draft push returns an error. */
export const DRAFT_ERRORS: Readonly<Record<string, { status: number; code: string; message: string }>> = {
  'unknown-content': {
    status: 404,
    code: 'CONTENT_NOT_FOUND',
    message: 'The content document does not exist.',
  },
  'unready-content': {
    status: 409,
    code: 'CONTENT_NOT_READY',
    message: 'The content document has no final version yet.',
  },
  'rejected-content': {
    status: 502,
    code: 'CMS_INTEGRATIONS_PROVIDER_ERROR',
    message: 'The CMS refused the item.',
  },
  'expired-connection': {
    status: 403,
    code: 'CMS_INTEGRATIONS_CONNECTION_EXPIRED',
    message: 'Reconnect the CMS.',
  },
  'broken-content': { status: 500, code: 'INTERNAL_ERROR', message: 'Something went wrong.' },
};

function text(body: unknown, field: string): string {
  const value =
    typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[field] : undefined;
  if (typeof value === 'string' && value !== '') return value;
  throw new Refusal(400, {
    code: 'VALIDATION_ERROR',
    message: `body must have a non-empty string '${field}'`,
  });
}

/** Writes or overwrites the draft of a content document; a document keeps its CMS item. */
export function pushDraft(request: RouteRequest): unknown {
  const connectionId = text(request.body, 'connectionId');
  const slug = text(request.body, 'slug');
  const failure = Object.hasOwn(DRAFT_ERRORS, request.id) ? DRAFT_ERRORS[request.id] : undefined;
  if (failure !== undefined)
    throw new Refusal(failure.status, { code: failure.code, message: failure.message });
  if (!request.project.connectionIds.includes(connectionId)) {
    const message = `CMS connection ${connectionId} does not exist.`;
    throw new Refusal(404, { code: 'CMS_INTEGRATIONS_CONNECTION_NOT_FOUND', message });
  }
  const { drafts } = request.state;
  const key = JSON.stringify([request.project.id, request.id, connectionId]);
  const externalItemId = drafts.get(key) ?? `item-${drafts.size + 1}`;
  drafts.set(key, externalItemId);
  return { publishRecordId: uuidOf(`draft/${key}`), externalItemId, status: 'STAGED', slug };
}
