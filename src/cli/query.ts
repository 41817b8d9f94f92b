import type { Command } from 'commander';
import { z } from 'zod';
import { usageError } from '../errors.ts';
import { wordFlag } from './flag-values.ts';
import type { CommandHost } from './host.ts';
import { formatResult, RESULT_FORMATS } from '../terminal/result-format.ts';
import { amount } from '../terminal/amount.ts';

const flagSchema = z.strictObject({ format: wordFlag(RESULT_FORMATS).exactOptional() });

// A table is for eyes; beyond this it takes seconds to draw (7.7 s for 200,000 rows).
const MOST_TABLE_ROWS = 1000;

/** `answerlake query 'SQL'`: read-only on the published file; needs no key. */
export function defineQuery(command: Command, host: CommandHost): void {
  command
    .argument('<sql>', 'one SQL statement, or - to read it from stdin')
    .option('--format <format>', 'table (default), json, csv or md')
    .addHelpText(
      'after',
      `
Examples:
  $ answerlake query "show tables"
  $ answerlake query "select date, visibility, event_titles from daily_kpis
                      where event_titles is not null order by date"
  $ answerlake query --format csv "from share_of_voice_trend" > share.csv
  $ answerlake query - < report.sql`,
    );
  host.handle(command, flagSchema, async (context, flags, words) => {
    const config = context.loadConfig({ secrets: 'leave' });
    const sql = words[0] === '-' ? await context.io.readInput() : (words[0] ?? '');
    if (sql.trim() === '') {
      throw usageError('The SQL is empty. Write a statement, for example "show tables".');
    }
    const { openPublishedFile } = await import('../publish/published-file.ts');
    await using file = await openPublishedFile(config.warehouse.path, { signal: context.signal });
    const format = flags.format ?? (context.flags.json ? 'json' : 'table');
    const result = await file.query(sql, format === 'table' ? MOST_TABLE_ROWS : undefined);
    const { count, rows } = result;
    const { stdout } = context.io;
    stdout.write(formatResult(result, format, stdout.isTerminal ? stdout.columns : undefined));
    if (rows.length < count) {
      const all = amount(count);
      context.note(`The first ${amount(MOST_TABLE_ROWS)} of ${all} rows; --format csv or json gives all.`);
    } else if (stdout.isTerminal && format === 'table') {
      context.note(count === 1 ? '1 row' : `${count} rows`);
    }
    return 0;
  });
}
