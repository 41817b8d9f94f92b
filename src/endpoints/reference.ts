import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { flag, id, label, maybeInstant, openEnum } from './field.ts';
import { listItems, wholeBody } from './item.ts';
import { each } from './table.ts';

const named = z.object({ id, name: label, slug: label });

const validation = z.object({
  valid: z.literal(true),
  keyType: openEnum('project', 'organization'),
  organization: named.nullish(),
  project: named.nullish(),
  availableProjects: z.array(named).nullish(),
  apiKey: z.object({
    id,
    name: label,
    permission: openEnum('FULL').nullish(),
    createdAt: maybeInstant,
    lastUsedAt: maybeInstant,
  }),
});

type Validation = z.output<typeof validation>;

interface Project extends z.output<typeof named> {
  organizationId: string | null;
}

/** The project that answered, and the projects that the key reaches. */
function projectsOf({ organization, project, availableProjects }: Validation): readonly Project[] {
  return [project ?? [], availableProjects ?? []]
    .flat()
    .map((found) => ({ ...found, organizationId: organization?.id ?? null }));
}

const shared = {
  cut: { kind: 'list' },
  scopes: { project: null },
  params: () => [],
  body: z.object({ valid: z.literal(true) }).loose(),
  documented: validation,
  items: wholeBody,
  item: validation,
  outputs: [
    {
      table: 'api_keys',
      shape: 'account',
      key: { api_key_id: ({ apiKey }: Validation) => apiKey.id },
      columns: {
        key_type: ({ keyType }: Validation) => keyType,
        organization_id: ({ organization }: Validation) => organization?.id ?? null,
        project_id: ({ keyType, project }: Validation) =>
          keyType.toLowerCase() === 'project' ? (project?.id ?? null) : null,
        name: ({ apiKey }: Validation) => apiKey.name,
        permission: ({ apiKey }: Validation) => apiKey.permission ?? null,
        created_at: ({ apiKey }: Validation) => apiKey.createdAt,
        last_used_at: ({ apiKey }: Validation) => apiKey.lastUsedAt,
      },
      volatile: ['last_used_at'],
      lastKnown: ['organization_id', 'project_id', 'name', 'permission', 'created_at', 'last_used_at'],
    },
    each(({ organization }: Validation) => (organization ? [organization] : []), {
      table: 'organizations',
      shape: 'account',
      key: { organization_id: ({ id }) => id },
      columns: { name: ({ name }) => name, slug: ({ slug }) => slug },
      lastKnown: ['name', 'slug'],
    }),
    each(projectsOf, {
      table: 'projects',
      shape: 'account',
      key: { project_id: ({ id }) => id },
      columns: {
        organization_id: ({ organizationId }) => organizationId,
        name: ({ name }) => name,
        slug: ({ slug }) => slug,
      },
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
  params: () => [],
  body: z.object({ models: z.array(z.unknown()), total: z.number().optional() }),
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
        label: (model) => model.label,
        provider: (model) => model.provider,
        provider_name: (model) => model.providerName,
        model_name: (model) => model.modelName,
        api_identifier: (model) => model.apiIdentifier,
        description: (model) => model.description,
        search_enabled: (model) => model.searchEnabled,
        live_search: (model) => model.liveSearch,
        deprecated: (model) => model.deprecated,
      },
    },
  ],
});
