import { z } from 'zod';
import { instant, key, text } from './column.ts';
import { defineEndpoint } from './endpoint.ts';
import { id, label, maybeText, openEnum } from './field.ts';
import { wholeBody } from './item.ts';

// The documents do not name the required fields; a field without a value is null here and is not sent.
const pushed = z.object({ contentId: id, connectionId: maybeText, slug: maybeText });

/** A pushed CMS draft in the archive: the request and the response. */
const draftBody = z.object({ request: pushed, response: z.unknown() });
export type DraftBody = z.output<typeof draftBody>;

const draft = z.object({
  request: pushed,
  response: z.object({
    publishRecordId: id,
    externalItemId: label,
    status: openEnum('STAGED'),
    slug: label,
  }),
});
type Draft = z.output<typeof draft>;

/**
 * The only writing call (POST). It is declared so that its answers load and replay like any others, and it is not in the catalogue,
 * so no run plans it.
 */
export const cmsDraft = defineEndpoint({
  name: 'cms_draft',
  path: '/api/v2/content/{id}/cms/draft',
  cut: { kind: 'lookup', mentions: null },
  scopes: { project: null },
  body: draftBody,
  items: wholeBody,
  item: draft,
  outputs: [
    {
      table: 'cms_drafts',
      shape: 'account',
      about: 'Drafts that answerlake pushed to the CMS',
      source: ['POST v2 content/{id}/cms/draft'],
      key: {
        publish_record_id: key('Publish record id.', {}, ({ response }: Draft) => response.publishRecordId),
      },
      columns: {
        content_id: text('Content document.', {}, ({ request }: Draft) => request.contentId),
        connection_id: text('CMS connection.', {}, ({ request }: Draft) => request.connectionId),
        external_item_id: text(
          'Identifier of the item in the CMS.',
          {},
          ({ response }: Draft) => response.externalItemId,
        ),
        status: text(
          'STAGED: written as an unpublished draft.',
          {},
          ({ response }: Draft) => response.status,
        ),
        slug: text('Slug of the item.', {}, ({ response }: Draft) => response.slug),
        pushed_at: instant('Instant (UTC) of the push.', {}, (_item, { fetchedAt }) => fetchedAt),
      },
    },
  ],
});
