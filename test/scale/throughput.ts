import { startOrganizations } from './organizations.ts';
import type { QueueRig } from './queue-rig.ts';

/** Requests a second of a first run of `count` organizations, each answer taking `latencyMs`. */
export async function requestsPerSecond(
  count: number,
  {
    latencyMs,
    days,
    open,
  }: {
    latencyMs: number;
    days: [string, string];
    open: (options: {
      organizations: Awaited<ReturnType<typeof startOrganizations>>;
      startDate: string;
    }) => Promise<QueueRig>;
  },
): Promise<{ requests: number; seconds: number; rows: number }> {
  const [startDate, today] = days;
  await using organizations = await startOrganizations(count, { today, latencyMs });
  const rig = await open({ organizations, startDate });
  const programs = [rig.start(['loader']), ...Array.from({ length: count }, () => rig.start(['worker']))];
  await Promise.all(
    programs.map(async (program, index) => await program.saw(index === 0 ? 'loader.ready' : 'worker.ready')),
  );
  const run = await rig.run(['queue', 'run', '--wait', '--today', today, '--json']);
  if (run.code !== 0) throw new Error(run.stdout + run.stderr);
  const report = JSON.parse(run.stdout) as { requests: number; duration_ms: number; rows_received: number };
  for (const { child } of programs) child.kill('SIGTERM');
  await Promise.all(programs.map(({ ended }) => ended));
  return { requests: report.requests, seconds: report.duration_ms / 1000, rows: report.rows_received };
}
