-- One row per known crawler or referrer.
create view main.ai_vendors as
select source_kind, source, regexp_replace(lower(source), '[^a-z0-9]', '', 'g') as source_key, vendor, purpose
from (
  values
    ('crawler', 'openai-gptbot', 'OpenAI', 'training'),
    ('crawler', 'GPTBot', 'OpenAI', 'training'),
    ('crawler', 'openai-searchbot', 'OpenAI', 'search'),
    ('crawler', 'OAI-SearchBot', 'OpenAI', 'search'),
    ('crawler', 'openai-chatgpt-user', 'OpenAI', 'user'),
    ('crawler', 'ChatGPT-User', 'OpenAI', 'user'),
    ('crawler', 'anthropic-claudebot', 'Anthropic', 'training'),
    ('crawler', 'ClaudeBot', 'Anthropic', 'training'),
    ('crawler', 'anthropic-claude-user', 'Anthropic', 'user'),
    ('crawler', 'Claude-User', 'Anthropic', 'user'),
    ('crawler', 'anthropic-claude-search-bot', 'Anthropic', 'search'),
    ('crawler', 'Claude-SearchBot', 'Anthropic', 'search'),
    ('crawler', 'anthropic-claude-web', 'Anthropic', 'training'),
    ('crawler', 'Claude-Web', 'Anthropic', 'training'),
    ('crawler', 'anthropic-ai', 'Anthropic', 'training'),
    ('crawler', 'perplexity-bot', 'Perplexity', 'search'),
    ('crawler', 'perplexity-user', 'Perplexity', 'user'),
    ('crawler', 'cohere-ai', 'Cohere', 'user'),
    ('crawler', 'mistral-ai-user', 'Mistral', 'user'),
    ('crawler', 'deepseek-bot', 'DeepSeek', 'training'),
    ('crawler', 'x-ai-grok-bot', 'xAI', 'training'),
    ('crawler', 'GrokBot', 'xAI', 'training'),
    ('crawler', 'x-ai-grok-search', 'xAI', 'search'),
    ('crawler', 'xAI-Grok', 'xAI', 'search'),
    ('crawler', 'x-ai-grok-deep-search', 'xAI', 'search'),
    ('crawler', 'Grok-DeepSearch', 'xAI', 'search'),
    ('crawler', 'google-extended', 'Google', 'training'),
    ('crawler', 'google-mobile-agent', 'Google', 'user'),
    ('crawler', 'Google-Agent-Mobile', 'Google', 'user'),
    ('crawler', 'google-desktop-agent', 'Google', 'user'),
    ('crawler', 'Google-Agent-Desktop', 'Google', 'user'),
    ('visitor', 'chatgpt.com', 'OpenAI', null),
    ('visitor', 'chat.openai.com', 'OpenAI', null),
    ('visitor', 'claude.ai', 'Anthropic', null),
    ('visitor', 'perplexity.ai', 'Perplexity', null),
    ('visitor', 'gemini.google.com', 'Google', null),
    ('visitor', 'bard.google.com', 'Google', null),
    ('visitor', 'copilot.microsoft.com', 'Microsoft', null),
    ('visitor', 'chat.mistral.ai', 'Mistral', null),
    ('visitor', 'chat.deepseek.com', 'DeepSeek', null),
    ('visitor', 'grok.com', 'xAI', null),
    ('visitor', 'meta.ai', 'Meta', null),
    ('visitor', 'you.com', 'You.com', null),
    ('visitor', 'duck.ai', 'DuckDuckGo', null),
    ('visitor', 'poe.com', 'Quora', null),
    ('visitor', 'coral.cohere.com', 'Cohere', null)
) known (source_kind, source, vendor, purpose);

comment on view main.ai_vendors is 'Which vendor runs a crawler or an assistant, and what the crawler is for. One row per known crawler or referrer; crawlers stand here under their key and under the name they give themselves. Source: written by hand.';
comment on column main.ai_vendors.source_kind is 'crawler or visitor, as in ai_traffic.';
comment on column main.ai_vendors.source is 'Crawler or referrer.';
comment on column main.ai_vendors.source_key is 'The same in lower case, letters and digits alone: what sources are compared by.';
comment on column main.ai_vendors.vendor is 'Company that runs it.';
comment on column main.ai_vendors.purpose is 'training (collects text), search (builds an index) or user (fetches a page for a person who asks); NULL for referrers.';
