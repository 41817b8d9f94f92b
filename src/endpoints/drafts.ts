import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { id, label, maybeText, openEnum } from './field.ts';
import { wholeBody } from './item.ts';

// The documents do not say which fields are required; a field that was not given is null here and is not sent.
const pushed = z.object({ contentId: id, connectionId: maybeText, slug: maybeText });

/** A pushed CMS draft in the archive: the request and the response. */
const draftBody = z.object({ request: pushed, response: z.unknown() });
export type DraftBody = z.output<typeof draftBody>;

/**
 * The only call that writes (POST). It is declared so that its answers load and replay like any other. It is not in
 * the catalogue, so no run plans it.
 */
export const cmsDraft = defineEndpoint({
  name: 'cms_draft',
  path: '/api/v2/content/{id}/cms/draft',
  cut: { kind: 'lookup', mentions: null },
  scopes: { project: null },
  body: draftBody,
  items: wholeBody,
  item: z.object({
    request: pushed,
    response: z.object({
      publishRecordId: id,
      externalItemId: label,
      status: openEnum('STAGED'),
      slug: label,
    }),
  }),
  outputs: [
    {
      table: 'cms_drafts',
      shape: 'account',
      key: { publish_record_id: ({ response }) => response.publishRecordId },
      columns: {
        content_id: ({ request }) => request.contentId,
        connection_id: ({ request }) => request.connectionId,
        external_item_id: ({ response }) => response.externalItemId,
        status: ({ response }) => response.status,
        slug: ({ response }) => response.slug,
        pushed_at: (_item, { fetchedAt }) => fetchedAt,
      },
    },
  ],
});
