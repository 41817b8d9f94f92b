import { afterAll, it } from 'vitest';
import { openWorld } from './world.ts';

const world = await openWorld();
afterAll(() => world[Symbol.asyncDispose]());

it.each([
  ['host_of', 'https://WWW.Example.com:443/a?b#c', 'example.com'],
  ['host_of', ' shop.example.com ', 'shop.example.com'],
  ['host_of', '//cdn.example.com/x', 'cdn.example.com'],
  ['host_of', 'https://user:secret@www.example.com:443/@a', 'example.com'],
  ['host_of', 'http://[2001:DB8::1]:8080/a', '[2001:db8::1]'],
  ['host_of', 'example.com.:443?b', 'example.com'],
  ['host_of', 'https://MÜNCHEN.example#a.b', 'münchen.example'],
  ['canonical_path', 'https://user@example.com:8080/a//', '/a'],
  ['canonical_path', 'https://example.com/Pricing/?utm_source=x#top', '/Pricing'],
  ['canonical_path', '/blog/post/', '/blog/post'],
  ['canonical_path', 'https://example.com', '/'],
  ['source_of', 'https://www.perplexity.ai/search?q=x', 'Perplexity'],
  ['source_of', 'chatgpt.com', 'OpenAI'],
  ['source_of', 'https://me@ChatGPT.com.:443/', 'OpenAI'],
  ['source_of', 'GPTBot', 'OpenAI'],
  ['source_of', 'newsletter', null],
  ['source_of', '', null],
])('%s of %j is %j', async (name, input, result) => {
  await world.gives(`select main.${name}('${input}'), main.${name}(null)`, [[result, null]]);
});
