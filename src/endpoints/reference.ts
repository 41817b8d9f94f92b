import { z } from 'zod';
import * as column from './column.ts';
import { defineEndpoint } from './endpoint.ts';
import { flag, id, label, openEnum, side, sideInstant } from './field.ts';
import { listItems, wholeBody } from './item.ts';
import { each } from './table.ts';

const named = z.object({ id, name: label, slug: label });

/** The identity of the key, and what it reaches. */
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

/** The key and its owner: an organization's key belongs to no project, even if one is selected. */
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
      about: 'Keys that were used, without the secret',
      key: { api_key_id: column.key('Identifier of the key, not the secret.', {}, ({ id }) => id) },
      columns: {
        keyType: column.text('project or organization.'),
        organizationId: column.text('Organization of the key.'),
        projectId: column.text('Project of a project key; NULL for an organization key.'),
        name: column.text('Name given in the dashboard.'),
        permission: column.text('Permission; FULL is the value that occurs.'),
        createdAt: column.instant('Instant (UTC) of creation.'),
        lastUsedAt: column.instant(
          'Instant (UTC) of last use; moves with every call and does not count as a change.',
        ),
      },
      volatile: ['last_used_at'],
      lastKnown: ['organization_id', 'project_id', 'name', 'permission', 'created_at', 'last_used_at'],
    }),
    each(({ organization }: Validation) => (organization ? [organization] : []), {
      table: 'organizations',
      shape: 'account',
      about: 'Organizations behind the configured keys',
      key: { organization_id: column.key('Organization id.', {}, ({ id }) => id) },
      columns: { name: column.text('Name.'), slug: column.text('Short name for addresses.') },
      lastKnown: ['name', 'slug'],
    }),
    each(projectsOf, {
      table: 'projects',
      shape: 'account',
      about: 'Projects (brand workspaces) that the configured keys reach',
      key: {
        project_id: column.key('Project id.', {}, ({ id }) => id),
      },
      columns: {
        organizationId: column.text('Organization the project belongs to.'),
        name: column.text('Name.'),
        slug: column.text('Short name for addresses.'),
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

/** The list of AI models; requested without a key. */
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
      about: 'Catalogue of AI models. Analytics may use ids that it lacks: LEFT JOIN',
      key: {
        model_id: column.key(
          'Model id, <provider>_<model>; both parts may contain an underscore.',
          {},
          ({ id }: { id: string }) => id,
        ),
      },
      columns: {
        label: column.label('Name for people.'),
        provider: column.label('Provider key.'),
        providerName: column.label('Provider name.'),
        modelName: column.label('Model name.'),
        apiIdentifier: column.label('Name of the model at its provider.'),
        description: column.label('Description.'),
        searchEnabled: column.flag('True when the model searches the web.'),
        liveSearch: column.flag('True when it searches live.'),
        deprecated: column.flag('True when it is no longer asked.'),
      },
    },
  ],
});
