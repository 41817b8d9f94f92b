import { expect, it } from 'vitest';
import { load, MINIMAL, problemsOf } from './loaded.ts';

it('loadConfig takes a scope, grain or window that is named twice once', () => {
  const { sync } = load(
    `${MINIMAL}  scopes: { visibility: [project, model, project] }\n  grains: [day, day]\n  windows: [month, month]\n` +
      '  endpoints: { visibility: { scopes: [project, project], grains: [week, week] }, competitor_heatmap: { windows: [month, month] } }\n',
  );
  expect(sync).toMatchObject({
    scopes: { visibility: ['project', 'model'] },
    grains: ['day'],
    windows: ['month'],
    endpoints: {
      visibility: { scopes: ['project'], grains: ['week'] },
      competitor_heatmap: { windows: ['month'] },
    },
  });
});

it.each([
  '!sk-Live-Canary7',
  '*sk-Live-Canary7',
  '|sk-Live-Canary7',
  '>sk-Live-Canary7',
  '@sk-Live-Canary7',
  '"sk-Live-Canary7',
])('loadConfig tells no key that YAML itself stumbles over: %s', (literal) => {
  const problems = problemsOf(MINIMAL.replace('env:ACME_API_KEY', literal));
  expect(problems).not.toEqual([]);
  expect(problems.join('\n')).not.toContain('Canary7');
});
