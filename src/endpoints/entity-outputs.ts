import type { Output } from './endpoint.ts';

export const organizationsOutput: Output = {
  table: 'organizations',
  shape: 'account',
  key: ['organization_id'],
  columns: ['name', 'slug'],
  vanished: 'keep',
  lastKnown: ['name', 'slug'],
};

export const projectsOutput: Output = {
  table: 'projects',
  shape: 'account',
  key: ['project_id'],
  columns: ['organization_id', 'name', 'slug'],
  vanished: 'keep',
  lastKnown: ['organization_id', 'name', 'slug'],
};

export const apiKeysOutput: Output = {
  table: 'api_keys',
  shape: 'account',
  key: ['api_key_id'],
  columns: ['key_type', 'organization_id', 'project_id', 'name', 'permission', 'created_at', 'last_used_at'],
  vanished: 'keep',
  volatile: ['last_used_at'],
  lastKnown: ['organization_id', 'project_id', 'name', 'permission', 'created_at', 'last_used_at'],
};

export const monitorsOutput: Output = {
  table: 'monitors',
  shape: 'project',
  key: ['monitor_id'],
  columns: ['name'],
  vanished: 'keep',
  lastKnown: ['name'],
};

export const brandsOutput: Output = {
  table: 'brands',
  shape: 'project',
  key: ['brand_id'],
  columns: ['name', 'domain', 'relation'],
  vanished: 'keep',
};
