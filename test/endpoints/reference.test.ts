import { describe, expect, test } from 'vitest';
import { FETCHED_AT } from '../support/answers.ts';
import { promptBody } from '../fixtures/prompt.ts';
import { validationBody } from '../fixtures/validate.ts';
import { fixtures } from '../support/fixtures.ts';
import { rowsOf } from './rows-of.ts';

const key = {
  api_key_id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  name: 'warehouse',
  permission: 'FULL',
  created_at: Date.parse('2025-12-01T10:00:00Z'),
  last_used_at: Date.parse('2026-03-10T02:00:01Z'),
};

describe.each(['validate', 'validate_v1'])('%s', (endpoint) => {
  test(`${endpoint} of a project key gives its project, without a list of projects and without a permission`, () => {
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

  test(`${endpoint} of an organization key with a selected project keeps the key free of it`, () => {
    const project = { id: 'project-2', name: 'Zoë & Söhne', slug: 'zoe' };
    const rows = rowsOf(endpoint, { bodies: [{ ...validationBody, project, availableProjects: null }] });
    expect(rows['projects']).toEqual([
      { project_id: 'project-2', organization_id: 'organization-1', name: 'Zoë & Söhne', slug: 'zoe' },
    ]);
    expect(rows['api_keys']).toMatchObject([{ project_id: null }]);
  });
});

const [first] = fixtures.get('prompts')?.rows['prompts'] ?? [];

test('prompts stores absent optional fields as NULL', () => {
  const { intent: _1, averageVisibility: _2, difficulty: _3, ...rest } = promptBody;
  const body = { prompts: [rest], total: 1, page: 1, size: 100, totalPages: 1 };
  expect(rowsOf('prompts', { bodies: [body] })['prompts']).toEqual([
    { ...first, intent: null, average_visibility: null, difficulty: null },
  ]);
});

test('a prompt that is not found becomes a removed prompt without text', () => {
  const nothing = Object.fromEntries(Object.keys(first ?? {}).map((column) => [column, null]));
  expect(rowsOf('prompt', { status: 404, bodies: [{ error: 'Not Found' }] })).toEqual({
    prompts: [{ ...nothing, prompt_id: 'prompt-1', removed_at: FETCHED_AT }],
  });
});
