import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { startSimulator } from '../../simulator/simulator.ts';
import { uuidOf } from '../../simulator/random.ts';
import { openPublishedFile } from '../../src/publish/published-file.ts';
import { toDay } from '../../src/day.ts';
import { openFolder } from '../support/folder.ts';
import { runCommands } from './page-commands.ts';

const PAGE = 'docs/a-year.md';
const TODAY = toDay('2025-06-30');
const settings = z.record(z.string(), z.unknown());

/** Blocks of a page, and what it says that those before cost. */
const STEP = /^```(yaml|sh)\n([\s\S]*?)^```$|^Costs ([\d,]+) requests/gm;

it('docs/a-year.md works from top to bottom, and each change costs what it says', async () => {
  const rotated = { key: 'rotated', id: uuidOf('rotated'), name: 'Rotated', type: 'organization' } as const;
  await using simulator = await startSimulator({ world: 'demo', today: TODAY, keys: [rotated] });
  const idOf = (slug: string) => simulator.world.projects.find((one) => one.slug === slug)?.id ?? '';
  const home = openFolder();
  const file = join(home, 'answerlake.yaml');
  cpSync('jobs', join(home, 'jobs'), { recursive: true });
  const filled = (text: string): string =>
    text
      .replaceAll('https://server.example.com', simulator.url)
      .replaceAll('FERNHILL-ID', idOf('fernhill-coffee'))
      .replaceAll('HARBOR-ID', idOf('harbor-and-pine'))
      .replace('the-new-key', rotated.key)
      .replace('the-key-of-the-second-account', 'demo-project-key-2');
  let config: Record<string, unknown> = {};
  let exported = `export ANSWERLAKE_TODAY=${TODAY} AGENCY_KEY=demo-organization-key\n`;
  const said: number[] = [];
  const cost: number[] = [];
  for (const [, language, block = '', requests] of readFileSync(PAGE, 'utf8').matchAll(STEP)) {
    if (requests !== undefined) {
      said.push(Number(requests.replaceAll(',', '')));
      cost.push(simulator.requests.length);
      simulator.resetRequests();
    } else if (language === 'yaml') {
      config = { ...config, ...settings.parse(parse(filled(block))) };
      writeFileSync(file, stringify(config));
    } else {
      await runCommands(home, exported + filled(block));
      exported += (filled(block).match(/^export .*$/gm) ?? []).join('\n') + '\n';
    }
  }
  expect(cost).toEqual(said);
  expect(existsSync(join(home, 'new-machine', 'jobs', 'nightly.yaml'))).toBe(true);
  // A later first day and a project that is no longer listed remove nothing.
  const [agency] = z.array(settings).parse(config['accounts']);
  config = {
    ...config,
    sync: { start_date: '2025-05-01' },
    accounts: [{ ...agency, projects: [idOf('harbor-and-pine')] }],
  };
  writeFileSync(file, stringify(config));
  await runCommands(home, `${exported}answerlake sync`);
  expect(simulator.requests.length).toBeLessThan(100);
  await using published = await openPublishedFile(join(home, 'data', 'answers.duckdb'));
  const { rows } = await published.query(
    'select project_name, min(date), max(date) from daily_kpis where visibility is not null group by all order by all',
  );
  expect(rows.map((row) => row.map(({ text }) => text))).toEqual(
    ['Fernhill Coffee', 'Harbor & Pine', 'Kestrel Analytics'].map((name) => [
      name,
      '2025-01-01',
      '2025-06-29',
    ]),
  );
});
