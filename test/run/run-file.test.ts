import { expect, test } from 'vitest';
import { silentLog } from '../../src/log.ts';
import { damageOf, tellNotices } from '../../src/run/run-file.ts';

test('a working file that was set aside is a warning; one that was created or rebuilt is not', () => {
  const told: string[] = [];
  const tell = (level: string) => (event: string) => void told.push(`${level} ${event}`);
  const notices = (['created', 'set_aside', 'rebuilt'] as const).map((event) => ({ event, message: event }));
  tellNotices(notices, { ...silentLog, info: tell('info'), warn: tell('warn') });
  expect(told).toEqual([
    'info working_file.created',
    'warn working_file.set_aside',
    'info working_file.rebuilt',
  ]);
  expect(damageOf(notices)).toEqual(['set_aside']);
});
