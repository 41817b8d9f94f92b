interface ActionKind {
  /** Log-odds that a completed action of the type can add. */
  weight: number;
  /** `{topic}` is replaced by a topic of the project. */
  titles: readonly [string, ...string[]];
}

const kind = (weight: number, ...titles: ActionKind['titles']): ActionKind => ({ weight, titles });

/** The kinds of actions by type. */
export const ACTIONS = {
  WEBSITE_PERFORMANCE: kind(
    0.15,
    'Cut the load time of the {topic} pages',
    'Serve images of {topic} in modern formats',
  ),
  WEBSITE_HEALTH: kind(
    0.15,
    'Fix broken links in the {topic} section',
    'Repair structured data of the {topic} pages',
  ),
  CONTENT_GAP: kind(
    0.9,
    'Publish a buying guide for {topic}',
    'Answer the ten most common questions about {topic}',
  ),
  SENTIMENT: kind(0.2, 'Answer critical reviews of {topic}', 'Correct outdated prices quoted for {topic}'),
  REDDIT_SOCIAL: kind(0.5, 'Join the community thread on {topic}', 'Answer an open question about {topic}'),
  SETUP: kind(0, 'Connect the web analytics property', 'Add a second market to the project'),
  UNTRACKED_PAGE: kind(0, 'Track the new {topic} landing page', 'Track the comparison page for {topic}'),
  UNTAPPED_PAGE: kind(
    0.6,
    'Refresh the {topic} page that models already cite',
    'Add a summary to the {topic} article',
  ),
  OFFSITE_MENTION: kind(0.8, 'Get listed in a review of {topic}', 'Give an interview about {topic}'),
  CUSTOM: kind(0.1, 'Brief the agency on {topic}', 'Launch the seasonal {topic} campaign'),
};

export type ActionType = keyof typeof ACTIONS;
export const ACTION_TYPES = Object.keys(ACTIONS) as [ActionType, ...ActionType[]];

export const ORGANIC_QUESTIONS = [
  'Where do I find the best {topic} this year?',
  'Who offers the best value in {topic}?',
  'What should I look for when choosing {topic}?',
  'Can you recommend {topic} on a tight budget?',
  'Which {topic} do experts use?',
  'Who is the most sustainable choice for {topic}?',
  'Top ten brands for {topic} in Europe',
  'Where can I compare prices for {topic}?',
  'Who has the best customer support for {topic}?',
  'Is it worth paying more for {topic}?',
  'Best {topic} for a small team',
  'What {topic} do people on forums recommend?',
  'What should I know before I buy {topic}?',
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
