// Publishes a file for each of some random nights, in which rows of brands change, go, come back, or are ignored.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSimulator } from '../../dist/simulator/simulator.js';

const [folder, nights] = process.argv.slice(2);
const DAY_MS = 86_400_000;
const FIRST = Date.parse('2026-06-01');
const dayOf = (instant) => new Date(instant).toISOString().slice(0, 10);

/** A number in [0, 1), the same for the same words. */
function chance(...words) {
  let hash = 2_166_136_261;
  for (const character of words.join('|')) hash = Math.imul(hash ^ character.codePointAt(0), 16_777_619);
  hash ^= hash >>> 13;
  return ((Math.imul(hash, 2_654_435_761) ^ (hash >>> 7)) >>> 0) / 4_294_967_296;
}

/** Rows of brands as the server tells them on this day. */
function altered(rows, today) {
  const night = Math.floor((today - FIRST) / DAY_MS);
  return rows.flatMap((row) => {
    const { date, brand, mentionCount } = row;
    const age = (today - Date.parse(date)) / DAY_MS;
    const isGone = age > 1 && chance('go', date, brand.id) < 0.15;
    const isBack = age > 5 && chance('back', date, brand.id) < 0.4;
    if (isGone && !isBack) return [];
    const isIgnored = brand.relation !== 'SELF' && night % 15 > 9 && chance(brand.id) < 0.4;
    const isCorrected = age > 2 && chance('change', date, brand.id) < 0.2;
    return {
      ...row,
      brand: isIgnored ? { ...brand, relation: 'IGNORED' } : brand,
      mentionCount: isCorrected && mentionCount > 1 ? mentionCount - 1 : mentionCount,
    };
  });
}

mkdirSync(folder, { recursive: true });
const simulator = await startSimulator({ world: 'small', today: dayOf(FIRST) });
let today = FIRST;
simulator.override('/analytics/brands/visibility-over-time', (_, { body }) => ({
  body: altered(body, today),
}));
const config = join(folder, 'answerlake.yaml');
writeFileSync(
  config,
  `version: 1
api: { base_url: '${simulator.url}', requests_per_minute: 0 }
accounts: [{ name: small, api_key: env:NIGHTS_KEY }]
sync: { start_date: 2026-05-20, grains: [day, week] }
`,
);
const { key } = simulator.world.keys.find(({ type }) => type === 'organization');
for (let night = 0; night < Number(nights); night += 1) {
  today = FIRST + night * DAY_MS;
  simulator.setToday(dayOf(today));
  const argv = ['dist/src/cli/main.js', 'sync', '--config', config, '--endpoint', 'brand_visibility'];
  const options = { env: { ...process.env, NIGHTS_KEY: key }, stdio: ['ignore', 'ignore', 'inherit'] };
  const sync = spawn(process.execPath, [...argv, '--today', dayOf(today), '--quiet'], options);
  const [code] = await once(sync, 'exit');
  if (code !== 0 && code !== 3) throw new Error(`the sync of night ${night} ended with ${code}`);
  copyFileSync(join(folder, 'data/answers.duckdb'), join(folder, `${String(night).padStart(2, '0')}.duckdb`));
}
await simulator.close();
