export const validationBody = {
  valid: true,
  keyType: 'organization',
  organization: { id: 'organization-1', name: 'Acme Group', slug: 'acme-group' },
  project: null,
  apiKey: {
    id: '0f8fad5b-d9cb-469f-a165-70867728950e',
    name: 'warehouse',
    permission: 'FULL',
    createdAt: '2025-12-01T10:00:00.000Z',
    lastUsedAt: '2026-03-10T02:00:01.000Z',
  },
  availableProjects: [
    { id: 'project-1', name: 'Acme', slug: 'acme' },
    { id: 'project-2', name: 'Zoë & Söhne', slug: 'zoe' },
  ],
};

export const modelsBody = {
  models: [
    {
      id: 'open_ai_gpt_4_1',
      label: 'GPT 4.1',
      provider: 'open_ai',
      providerName: 'OpenAI',
      modelName: 'gpt_4_1',
      apiIdentifier: 'gpt-4.1',
      description: '',
      searchEnabled: true,
      liveSearch: false,
      deprecated: false,
    },
    {
      id: 'old_model',
      label: 'Old',
      provider: 'old',
      providerName: 'Old Inc.',
      modelName: 'model',
      apiIdentifier: 'old-1',
      description: 'retired',
      searchEnabled: false,
      liveSearch: false,
      deprecated: true,
    },
  ],
  total: 2,
};

export const promptBody = {
  id: 'prompt-1',
  prompt: 'Which 靴 is “best”?\n👟',
  type: 'ORGANIC',
  isActive: true,
  languageCode: 'en',
  llmMonitorId: 'monitor-1',
  llmMonitor: { id: 'monitor-1', name: 'Shoes' },
  amountOfResponses: 120,
  volume: 1500.5,
  createdAt: '2026-01-05T08:00:00.000Z',
  updatedAt: '2026-03-09T23:59:59.999Z',
  intent: 'COMMERCIAL',
  averageVisibility: 41.25,
  difficulty: 33,
};

export const promptsBody = {
  prompts: [
    promptBody,
    {
      ...promptBody,
      id: 'prompt-2',
      prompt: '',
      type: 'BRAND_SPECIFIC',
      isActive: false,
      llmMonitorId: 'monitor-2',
      llmMonitor: { id: 'monitor-2', name: 'Boots' },
      amountOfResponses: 0,
      volume: 0,
      intent: null,
      averageVisibility: null,
      difficulty: null,
      createdAt: '2026-01-05T10:00:00+02:00',
    },
  ],
  total: 2,
  page: 1,
  size: 100,
  totalPages: 1,
};

export const eventsBody = {
  events: [
    {
      date: '2026-03-02',
      items: [
        {
          type: 'prompts_created',
          occurredAt: '2026-03-02T08:00:00.000Z',
          monitor: { id: 'monitor-1', name: null },
          prompts: [
            { id: 'prompt-1', occurredAt: '2026-03-02T08:00:00.000Z' },
            { id: 'prompt-2', occurredAt: '2026-03-02T09:00:00.000Z' },
          ],
        },
        {
          type: 'action',
          occurredAt: '2026-03-02T10:00:00.000Z',
          action: { id: 'action-1', type: 'CONTENT_GAP', status: 'done', title: 'Write about “靴”' },
        },
      ],
    },
    {
      date: '2026-03-04',
      items: [
        {
          type: 'prompts_deleted',
          occurredAt: '2026-03-04T11:00:00.000Z',
          monitor: { id: 'monitor-1', name: 'Shoes' },
          prompts: [{ id: 'prompt-9', occurredAt: '2026-03-04T11:00:00.000Z' }],
        },
        {
          type: 'action',
          occurredAt: '2026-03-04T12:00:00.000Z',
          action: { id: 'action-2', type: 'CUSTOM', status: 'done', title: '' },
        },
      ],
    },
  ],
  total: 2,
  page: 1,
  size: 200,
  totalPages: 1,
};
