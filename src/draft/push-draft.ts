import { cmsDraft, type DraftBody } from '../endpoints/drafts.ts';
import { AnswerlakeError, type ErrorClass } from '../errors.ts';
import { ApiError } from '../extract/api-error.ts';
import type { ApiAnswer } from '../extract/call.ts';
import type { ApiClient } from '../extract/client.ts';

export interface DraftPush {
  request: DraftBody['request'];
  /** Sent only with an organization key. */
  projectHeader: string | undefined;
  /** Path in place of the documented one. */
  path?: string | undefined;
  signal: AbortSignal;
}

const SAFE_TO_REPEAT =
  'Pushing again is safe: it updates the same item in the CMS instead of creating another.';

/**
 * Sends a content document to the CMS as an unpublished draft: once, never repeated.
 * @throws ApiError auth (401), contract (refused), quota and transient (unavailable); AnswerlakeError stopped. The message
 * says whether the draft may have been written all the same
 */
export async function pushDraft(client: ApiClient, push: DraftPush): Promise<ApiAnswer> {
  const { contentId, connectionId, slug } = push.request;
  const path = (push.path ?? cmsDraft.path).replaceAll('{id}', encodeURIComponent(contentId));
  const sentBefore = client.totals.requests;
  try {
    return await client.post({
      path,
      body: {
        ...(connectionId === null ? {} : { connectionId }),
        ...(slug === null ? {} : { slug }),
      },
      projectId: push.projectHeader,
      signal: push.signal,
    });
  } catch (error) {
    if (error instanceof ApiError) throw explain(error);
    const isStop = push.signal.aborted && error instanceof AnswerlakeError;
    if (!isStop || client.totals.requests === sentBefore) throw error;
    throw new AnswerlakeError(
      `${error.message} It is not known whether the draft was pushed. ${SAFE_TO_REPEAT}`,
      { class: 'stopped', exitCode: error.exitCode, cause: error },
    );
  }
}

function explain(error: ApiError): ApiError {
  const { status, code, serverMessage, path, requests, outcomeUnknown } = error;
  const answer = [status, code].filter((part) => part !== null).join(' ');
  const said = sentence(serverMessage === null ? error.message : `${answer}: ${serverMessage}`);
  const advice = status === 401 ? ' Set a key that works; answerlake check tries it.' : '';
  const message = outcomeUnknown
    ? `It is not known whether the draft was pushed: ${said} ${SAFE_TO_REPEAT}`
    : `The draft was not pushed: ${said}${advice}`;
  const told = { status, code, serverMessage, path, requests, outcomeUnknown };
  return new ApiError(message, { ...told, class: classOf(error), scope: 'run', cause: error });
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** An answer with a code is a refusal in words, whatever its status; without one the service itself has failed. */
function classOf({ status, code, class: errorClass }: ApiError): ErrorClass {
  if (status === 401) return 'auth';
  if (status === 429 || status === null) return errorClass;
  return code !== null || status < 500 ? 'contract' : 'transient';
}
