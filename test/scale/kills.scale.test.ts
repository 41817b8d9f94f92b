import { expect, test } from 'vitest';
import { seededRandom } from '../support/seeded-random.ts';
import { contentHashes } from '../support/content-hash.ts';
import type { Program } from '../support/program.ts';
import { startOrganizations } from './organizations.ts';
import { QueueRig } from './queue-rig.ts';
import { killFigures } from './kill-figures.ts';

const KILLS = Number(process.env['ANSWERLAKE_KILLS'] ?? 8);
const FIRST = Date.parse('2026-03-01T00:00:00Z');
const DAY_MS = 86_400_000;
const dayAfter = (nights: number): string => new Date(FIRST + nights * DAY_MS).toISOString().slice(0, 10);

test(
  `${String(KILLS)} random kills of four workers and a loader leave the content of one process`,
  { timeout: 120_000 + KILLS * 8_000 },
  async () => {
    await using organizations = await startOrganizations(4, { today: dayAfter(0), latencyMs: 25 });
    const rig = await QueueRig.open({ organizations, startDate: '2026-01-15' });
    const random = seededRandom(Number(process.env['ANSWERLAKE_FUZZ_SEED'] ?? 1));
    const roles = ['worker', 'worker', 'worker', 'worker', 'loader'] as const;
    const running: Program[] = roles.map((role) => rig.start([role]));
    const days: string[] = [];
    let kills = 0;
    let asked = 0;
    while (kills < KILLS) {
      const today = dayAfter(days.length);
      days.push(today);
      for (const simulator of organizations.simulators) {
        simulator.setToday(today as never);
        simulator.resetRequests();
      }
      const before = kills;
      const run = rig.start(['queue', 'run', '--wait', '--today', today]);
      const ended = { is: false };
      void run.ended.then(() => (ended.is = true));
      while (!ended.is) {
        await new Promise((settle) => setTimeout(settle, 700 + random() * 1_600));
        if (ended.is || kills >= KILLS) continue;
        const victim = Math.floor(random() * roles.length);
        running[victim]?.child.kill('SIGKILL');
        await running[victim]?.ended;
        running[victim] = rig.start([roles[victim] ?? 'worker']);
        kills += 1;
      }
      const { code, stdout, stderr } = await run.ended;
      expect(`${today} exit ${String(code)} ${code === 0 ? '' : stdout + stderr}`).toBe(`${today} exit 0 `);
      const counts = new Map<string, number>();
      for (const { apiKey, projectId, path, query } of organizations.requests()) {
        const name = JSON.stringify([apiKey, projectId, path, query]);
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
      asked += organizations.requests().length;
      // No slice more than once for each kill too many.
      expect(Math.max(...counts.values()) - 1).toBeLessThanOrEqual(kills - before);
    }
    for (const program of running) program.child.kill('SIGTERM');
    const codes = (await Promise.all(running.map(({ ended }) => ended))).map(({ code }) => code);
    expect(codes).toEqual(roles.map(() => 143));
    for (const simulator of organizations.simulators) simulator.resetRequests();
    const one = await rig.oneProcess(days);
    expect(await contentHashes(rig.published)).toEqual(await contentHashes(one));
    killFigures({ kills, nights: days.length, asked, askedByOne: organizations.requests().length });
  },
);
