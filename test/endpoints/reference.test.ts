import { describe, expect, test } from 'vitest';
import { FETCHED_AT } from '../support/answers.ts';
import { promptBody, validationBody } from '../support/documented-lists.ts';
import { rowsOf } from './rows-of.ts';

const key = {
  api_key_id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  name: 'warehouse',
  permission: 'FULL',
  created_at: Date.parse('2025-12-01T10:00:00Z'),
  last_used_at: Date.parse('2026-03-10T02:00:01Z'),
};

describe.each(['validate', 'validate_v1'])('%s', (endpoint) => {
  test('of an organization key gives key, organization and every project', () => {
    expect(rowsOf(endpoint)).toEqual({
      organizations: [{ organization_id: 'organization-1', name: 'Acme Group', slug: 'acme-group' }],
      projects: [
        { project_id: 'project-1', organization_id: 'organization-1', name: 'Acme', slug: 'acme' },
        { project_id: 'project-2', organization_id: 'organization-1', name: 'Zoë & Söhne', slug: 'zoe' },
      ],
      api_keys: [{ ...key, key_type: 'organization', organization_id: 'organization-1', project_id: null }],
    });
  });

  test('of a project key gives its project, without a list of projects and without a permission', () => {
    const { permission: _permission, ...apiKey } = validationBody.apiKey;
    const body = {
      valid: true,
      keyType: 'project',
      organization: validationBody.organization,
      project: { id: 'project-1', name: 'Acme', slug: 'acme' },
      apiKey,
    };
    expect(rowsOf(endpoint, { bodies: [body] })).toEqual({
      organizations: [{ organization_id: 'organization-1', name: 'Acme Group', slug: 'acme-group' }],
      projects: [{ project_id: 'project-1', organization_id: 'organization-1', name: 'Acme', slug: 'acme' }],
      api_keys: [
        {
          ...key,
          key_type: 'project',
          organization_id: 'organization-1',
          project_id: 'project-1',
          permission: null,
        },
      ],
    });
  });

  test('of an organization key with a selected project keeps the key free of it', () => {
    const project = { id: 'project-2', name: 'Zoë & Söhne', slug: 'zoe' };
    const rows = rowsOf(endpoint, { bodies: [{ ...validationBody, project, availableProjects: null }] });
    expect(rows['projects']).toEqual([
      { project_id: 'project-2', organization_id: 'organization-1', name: 'Zoë & Söhne', slug: 'zoe' },
    ]);
    expect(rows['api_keys']).toMatchObject([{ project_id: null }]);
  });
});

test('models gives every model, deprecated ones too, and splits no id', () => {
  expect(rowsOf('models')).toEqual({
    models: [
      {
        model_id: 'open_ai_gpt_4_1',
        label: 'GPT 4.1',
        provider: 'open_ai',
        provider_name: 'OpenAI',
        model_name: 'gpt_4_1',
        api_identifier: 'gpt-4.1',
        description: '',
        search_enabled: true,
        live_search: false,
        deprecated: false,
      },
      {
        model_id: 'old_model',
        label: 'Old',
        provider: 'old',
        provider_name: 'Old Inc.',
        model_name: 'model',
        api_identifier: 'old-1',
        description: 'retired',
        search_enabled: false,
        live_search: false,
        deprecated: true,
      },
    ],
  });
});

const first = {
  prompt_id: 'prompt-1',
  prompt: 'Which 靴 is “best”?\n👟',
  type: 'ORGANIC',
  is_active: true,
  language_code: 'en',
  monitor_id: 'monitor-1',
  amount_of_responses: 120,
  volume: 1500.5,
  intent: 'COMMERCIAL',
  average_visibility: 41.25,
  difficulty: 33,
  created_at: Date.parse('2026-01-05T08:00:00Z'),
  updated_at: Date.parse('2026-03-09T23:59:59.999Z'),
  removed_at: null,
};

describe('prompts', () => {
  test('gives the prompt, its figures of the sync day and its monitor', () => {
    expect(rowsOf('prompts')).toEqual({
      prompts: [
        first,
        {
          ...first,
          prompt_id: 'prompt-2',
          prompt: '',
          type: 'BRAND_SPECIFIC',
          is_active: false,
          monitor_id: 'monitor-2',
          amount_of_responses: 0,
          volume: 0,
          intent: null,
          average_visibility: null,
          difficulty: null,
        },
      ],
      prompt_snapshots: [
        {
          date: '2026-03-10',
          prompt_id: 'prompt-1',
          amount_of_responses: 120,
          volume: 1500.5,
          average_visibility: 41.25,
          difficulty: 33,
          is_active: true,
        },
        {
          date: '2026-03-10',
          prompt_id: 'prompt-2',
          amount_of_responses: 0,
          volume: 0,
          average_visibility: null,
          difficulty: null,
          is_active: false,
        },
      ],
      monitors: [
        { monitor_id: 'monitor-1', name: 'Shoes' },
        { monitor_id: 'monitor-2', name: 'Boots' },
      ],
    });
  });

  test('takes absent optional fields for NULL', () => {
    const { intent: _1, averageVisibility: _2, difficulty: _3, ...rest } = promptBody;
    const body = { prompts: [rest], total: 1, page: 1, size: 100, totalPages: 1 };
    expect(rowsOf('prompts', { bodies: [body] })['prompts']).toEqual([
      { ...first, intent: null, average_visibility: null, difficulty: null },
    ]);
  });
});

const lookup = { slice: { scope: 'prompt', scopeId: 'prompt-1' } } as const;

describe('prompt', () => {
  test('gives one prompt that is off the list', () => {
    expect(rowsOf('prompt', lookup)).toEqual({
      prompts: [{ ...first, removed_at: FETCHED_AT }],
      monitors: [{ monitor_id: 'monitor-1', name: 'Shoes' }],
    });
  });

  test('that is not found gives a removed prompt without text', () => {
    const nothing = Object.fromEntries(Object.keys(first).map((column) => [column, null]));
    expect(rowsOf('prompt', { ...lookup, status: 404, bodies: [{ error: 'Not Found' }] })).toEqual({
      prompts: [{ ...nothing, prompt_id: 'prompt-1', removed_at: FETCHED_AT }],
    });
  });
});
