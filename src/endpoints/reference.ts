import { z } from 'zod';
import { defineEndpoint, type OutputRow } from './endpoint.ts';
import { apiKeysOutput, organizationsOutput, projectsOutput } from './entity-outputs.ts';
import { flag, id, label, listItems, maybeInstant, oneRow, openEnum, wholeBody } from './field.ts';

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

function validationRows(body: z.output<typeof validation>): readonly OutputRow[] {
  const { organization, project, availableProjects, apiKey } = body;
  const organizationId = organization?.id ?? null;
  const projects = [...(project ? [project] : []), ...(availableProjects ?? [])];
  return [
    ...(organization
      ? oneRow('organizations', {
          organization_id: organization.id,
          name: organization.name,
          slug: organization.slug,
        })
      : []),
    ...projects.flatMap(({ id: projectId, name, slug }) =>
      oneRow('projects', { project_id: projectId, organization_id: organizationId, name, slug }),
    ),
    ...oneRow('api_keys', {
      api_key_id: apiKey.id,
      key_type: body.keyType,
      organization_id: organizationId,
      project_id: body.keyType === 'project' ? (project?.id ?? null) : null,
      name: apiKey.name,
      permission: apiKey.permission ?? null,
      created_at: apiKey.createdAt,
      last_used_at: apiKey.lastUsedAt,
    }),
  ];
}

const shared = {
  cut: { kind: 'list' },
  scopes: { project: null },
  params: () => [],
  body: z.object({ valid: z.literal(true) }).loose(),
  documented: validation,
  items: wholeBody,
  item: validation,
  rows: validationRows,
  outputs: [apiKeysOutput, organizationsOutput, projectsOutput],
} as const;

/** Key, organization and reachable projects, v2. */
export const validate = defineEndpoint({
  ...shared,
  name: 'validate',
  path: '/api/v2/auth/validate',
  askedPer: 'key_and_project',
});

/** The same of v1. */
export const validateV1 = defineEndpoint({
  ...shared,
  name: 'validate_v1',
  path: '/api/v1/validate',
  askedPer: 'key',
});

/** The catalogue of AI models; asked without the key. */
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
  rows: (model) =>
    oneRow('models', {
      model_id: model.id,
      label: model.label,
      provider: model.provider,
      provider_name: model.providerName,
      model_name: model.modelName,
      api_identifier: model.apiIdentifier,
      description: model.description,
      search_enabled: model.searchEnabled,
      live_search: model.liveSearch,
      deprecated: model.deprecated,
    }),
  outputs: [
    {
      table: 'models',
      shape: 'account',
      key: ['model_id'],
      columns: [
        'label',
        'provider',
        'provider_name',
        'model_name',
        'api_identifier',
        'description',
        'search_enabled',
        'live_search',
        'deprecated',
      ],
      vanished: 'keep',
    },
  ],
});
