export const ACTION_TYPES = [
  'WEBSITE_PERFORMANCE',
  'WEBSITE_HEALTH',
  'CONTENT_GAP',
  'SENTIMENT',
  'REDDIT_SOCIAL',
  'SETUP',
  'UNTRACKED_PAGE',
  'UNTAPPED_PAGE',
  'OFFSITE_MENTION',
  'CUSTOM',
] as const;
export type ActionType = (typeof ACTION_TYPES)[number];

/** Titles of actions by type; `{topic}` is replaced by a topic of the project. */
export const ACTION_TITLES: Record<ActionType, readonly [string, ...string[]]> = {
  WEBSITE_PERFORMANCE: ['Cut load time of the {topic} pages', 'Serve images of {topic} in modern formats'],
  WEBSITE_HEALTH: ['Fix broken links under {topic}', 'Repair structured data of the {topic} pages'],
  CONTENT_GAP: ['Publish a buying guide for {topic}', 'Answer the ten most asked questions about {topic}'],
  SENTIMENT: ['Answer critical reviews of {topic}', 'Correct outdated prices named for {topic}'],
  REDDIT_SOCIAL: ['Join the community thread on {topic}', 'Answer an open question about {topic}'],
  SETUP: ['Connect the web analytics property', 'Add the second market to the project'],
  UNTRACKED_PAGE: ['Track the new {topic} landing page', 'Track the comparison page for {topic}'],
  UNTAPPED_PAGE: [
    'Refresh the {topic} page that models already cite',
    'Add a summary to the {topic} article',
  ],
  OFFSITE_MENTION: ['Get listed in a review of {topic}', 'Give an interview about {topic}'],
  CUSTOM: ['Brief the agency on {topic}', 'Launch the seasonal {topic} campaign'],
};

/** Log-odds that a completed action of the type can add. */
export const ACTION_WEIGHTS: Record<ActionType, number> = {
  WEBSITE_PERFORMANCE: 0.15,
  WEBSITE_HEALTH: 0.15,
  CONTENT_GAP: 0.9,
  SENTIMENT: 0.2,
  REDDIT_SOCIAL: 0.5,
  SETUP: 0,
  UNTRACKED_PAGE: 0,
  UNTAPPED_PAGE: 0.6,
  OFFSITE_MENTION: 0.8,
  CUSTOM: 0.1,
};

export const ORGANIC_QUESTIONS = [
  'What is the best {topic} this year?',
  'Which {topic} gives the most for the money?',
  'What should I look for when choosing {topic}?',
  'Recommend {topic} for beginners',
  'Which {topic} do experts use?',
  'What is the most sustainable {topic}?',
  'Top ten {topic} in Europe',
  'Where can I find {topic} with fast delivery?',
  'Which {topic} has the best support?',
  'Is expensive {topic} worth it?',
  'Best {topic} for a small team',
  'What {topic} do people on forums recommend?',
  'Which {topic} is easiest to start with?',
] as const;

export const BRAND_QUESTIONS = [
  'Is {brand} any good?',
  'What do customers say about {brand}?',
  'How much does {brand} cost?',
  'Where is {brand} based?',
] as const;

export const COMPARISON_QUESTIONS = [
  '{brand} or {rival}: which is better?',
  'Alternatives to {rival}',
  '{brand} compared with {rival} for {topic}',
] as const;

export const CRAWLER_KEYS = [
  'openai-gptbot',
  'openai-searchbot',
  'openai-chatgpt-user',
  'anthropic-claudebot',
  'anthropic-claude-user',
  'anthropic-claude-search-bot',
  'anthropic-claude-web',
  'anthropic-ai',
  'perplexity-bot',
  'perplexity-user',
  'cohere-ai',
  'mistral-ai-user',
  'deepseek-bot',
  'x-ai-grok-bot',
  'x-ai-grok-search',
  'x-ai-grok-deep-search',
  'google-extended',
  'google-mobile-agent',
  'google-desktop-agent',
] as const;
