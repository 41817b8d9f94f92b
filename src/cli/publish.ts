import { existsSync } from 'node:fs';
import { z } from 'zod';
import { toRun, usageError } from '../errors.ts';
import { formatBytes, formatDuration } from '../quantity.ts';
import { noFlags } from './flags.ts';
import { defined } from './host.ts';

/** `answerlake publish`: publishes the working file now; needs no key. */
export const define = defined({ flags: noFlags }, async (context) => {
  const config = context.loadConfig({ secrets: 'warehouse' });
  const { path: targetPath } = config.warehouse;
  const { openWarehouse, workingPath } = await import('../warehouse/working-file.ts');
  const { publishAnew } = await import('../targets/publish-changed.ts');
  const nothing = usageError([
    'Nothing was loaded yet, so there is nothing to publish.',
    toRun`Run ${'answerlake sync'}.`,
  ]);
  // If the working file is missing, it is made from the published file.
  if (!existsSync(workingPath(targetPath)) && !existsSync(targetPath)) throw nothing;
  await using working = await openWarehouse(config, { now: context.effects.now() });
  for (const notice of working.notices) context.note(notice.message);
  const connection = await working.database.connect();
  // Their answers list reachable projects and contain no figures.
  const ofKeys = config.catalogue.asked.filter(({ askedPer }) => askedPer.startsWith('key'));
  const loaded = await connection.value(
    z.number(),
    'select count(*) from meta.slices where endpoint not in (select unnest($1::varchar[]))',
    [ofKeys.map(({ name }) => name)],
  );
  if (loaded === 0) throw nothing;
  const runContext = await context.runContext(config);
  const made = await publishAnew(connection, runContext);
  const { writeJournal } = await import('../run/journal.ts');
  await writeJournal(connection, runContext);
  const { path, bytes, durationMs, tables, warnings } = made;
  const facts = { path, bytes, duration_ms: Math.round(durationMs), tables, warnings };
  const line = `Published ${path} (${formatBytes(bytes)}, ${formatDuration(durationMs)})`;
  context.printChange(facts, () => [line, ...warnings.map((text) => `warning: ${text}`)].join('\n'));
  context.next(['answerlake status', 'the age of the published figures']);
});
