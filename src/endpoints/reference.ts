import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { flag, id, label, openEnum, side, sideInstant } from './field.ts';
import { listItems, wholeBody } from './item.ts';
import { each, fields } from './table.ts';

const named = z.object({ id, name: label, slug: label });

/** Which key it is and what it reaches. */
export const keyReach = z.object({
  valid: z.literal(true),
  keyType: openEnum('project', 'organization'),
  organization: named.nullish(),
  project: named.nullish(),
  availableProjects: z.array(named).nullish(),
});

const validation = keyReach.extend({
  apiKey: z.object({
    id,
    name: label,
    permission: side(openEnum('FULL')),
    createdAt: sideInstant,
    lastUsedAt: sideInstant,
  }),
});

type Validation = z.output<typeof validation>;

/** The project that answered, and the projects that the key reaches. */
function projectsOf({ organization, project, availableProjects }: Validation) {
  return [project ?? [], availableProjects ?? []]
    .flat()
    .map((found) => ({ ...found, organizationId: organization?.id ?? null }));
}

/** The key, and what it belongs to: an organization's key to no project, even if one is selected. */
function keyOf({ apiKey, keyType, organization, project }: Validation) {
  const projectId = keyType.toLowerCase() === 'project' ? (project?.id ?? null) : null;
  return [{ ...apiKey, keyType, organizationId: organization?.id ?? null, projectId }];
}

const shared = {
  cut: { kind: 'list' },
  scopes: { project: null },
  body: z.object({ valid: z.literal(true) }).loose(),
  documented: validation,
  items: wholeBody,
  item: validation,
  outputs: [
    each(keyOf, {
      table: 'api_keys',
      shape: 'account',
      key: { api_key_id: ({ id }) => id },
      columns: fields(
        'keyType',
        'organizationId',
        'projectId',
        'name',
        'permission',
        'createdAt',
        'lastUsedAt',
      ),
      volatile: ['last_used_at'],
      lastKnown: ['organization_id', 'project_id', 'name', 'permission', 'created_at', 'last_used_at'],
    }),
    each(({ organization }: Validation) => (organization ? [organization] : []), {
      table: 'organizations',
      shape: 'account',
      key: { organization_id: ({ id }) => id },
      columns: fields('name', 'slug'),
      lastKnown: ['name', 'slug'],
    }),
    each(projectsOf, {
      table: 'projects',
      shape: 'account',
      key: { project_id: ({ id }) => id },
      columns: fields('organizationId', 'name', 'slug'),
      lastKnown: ['organization_id', 'name', 'slug'],
    }),
  ],
} as const;

/** The key, its organization and the projects it reaches (v2). */
export const validate = defineEndpoint({
  ...shared,
  name: 'validate',
  path: '/api/v2/auth/validate',
  askedPer: 'key_and_project',
});

/** The same from v1. */
export const validateV1 = defineEndpoint({
  ...shared,
  name: 'validate_v1',
  path: '/api/v1/validate',
  askedPer: 'key',
});

/** The list of AI models; asked without a key. */
export const models = defineEndpoint({
  name: 'models',
  path: '/api/v1/models',
  askedPer: 'run',
  cut: { kind: 'list' },
  scopes: { project: null },
  withKey: false,
  body: z.object({ models: z.array(z.unknown()), total: side(z.number()) }),
  items: (body) => listItems(body.models, 'models'),
  item: z.object({
    id,
    label,
    provider: label,
    providerName: label,
    modelName: label,
    apiIdentifier: label,
    description: label,
    searchEnabled: flag,
    liveSearch: flag,
    deprecated: flag,
  }),
  outputs: [
    {
      table: 'models',
      shape: 'account',
      key: { model_id: (model) => model.id },
      columns: {
        ...fields('label', 'provider', 'providerName', 'modelName', 'apiIdentifier', 'description'),
        ...fields('searchEnabled', 'liveSearch', 'deprecated'),
      },
    },
  ],
});
