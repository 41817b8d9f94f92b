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

-- One row per word in the name of a model.
create view main.ai_assistants as
select *
from (
  values
    ('ai overview', 'Google AI Overviews', 1),
    ('ai mode', 'Google AI Mode', 1),
    ('copilot', 'Copilot', 1),
    ('bing', 'Copilot', 1),
    ('perplexity', 'Perplexity', 1),
    ('sonar', 'Perplexity', 2),
    ('chatgpt', 'ChatGPT', 2),
    ('gpt', 'ChatGPT', 3),
    ('openai', 'ChatGPT', 3),
    ('claude', 'Claude', 3),
    ('anthropic', 'Claude', 4),
    ('gemini', 'Gemini', 3),
    ('grok', 'Grok', 3),
    ('deepseek', 'DeepSeek', 3),
    ('mistral', 'Le Chat', 4),
    ('le chat', 'Le Chat', 3),
    ('llama', 'Meta AI', 4),
    ('meta ai', 'Meta AI', 3),
    ('qwen', 'Qwen', 4),
    ('cohere', 'Cohere', 4)
) known (word, assistant, place);

comment on view main.ai_assistants is 'Which assistant a model answers for, by a word in its name. One row per word; where a name has several, the one with the lowest place counts. Source: written by hand.';
