import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/warehouse/database.ts';
import { openSmallWorld, TODAY } from './small-world.ts';
import { cli, type CliOptions, type CliResult } from './run.ts';
import { madeOnce } from '../support/made-once.ts';
import { openFolder } from '../support/folder.ts';

async function rowsOf(path: string, sql: string): Promise<unknown[]> {
  await using database = await openDatabase({ path, readOnly: true });
  return await (await database.connect()).rows(sql);
}

interface Synced {
  folder: string;
  published: string;
  run(argv: readonly string[], options?: CliOptions): Promise<CliResult>;
}

/** A folder after one whole sync, without the simulator: export needs neither key nor network. */
async function openSynced(): Promise<Synced> {
  const made = await madeOnce('synced small world', async (folder) => {
    const world = await openSmallWorld();
    await world.run(['sync', '--today', TODAY, '--quiet']);
    cpSync(world.folder, folder, { recursive: true });
  });
  const folder = openFolder();
  cpSync(made, folder, { recursive: true });
  const config = join(folder, 'answerlake.yaml');
  return {
    folder,
    published: join(folder, 'data', 'answers.duckdb'),
    run: (argv, options = {}) => cli([...argv, '--config', config], options),
  };
}

interface Exported {
  tables: { name: string; rows: number; files: number; partitions: string[] }[];
}

describe('answerlake export', () => {
  it('writes every view so that Parquet says what the view says, without key and network', async () => {
    const { folder, published, run } = await openSynced();
    const output = join(folder, 'lake');
    const { code, stdout, stderr } = await run(['export', '--output', output, '--json'], { env: {} });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { tables } = JSON.parse(stdout) as Exported;
    const views = await rowsOf(
      published,
      `select view_name as name from duckdb_views() where schema_name = 'main' and not internal order by 1`,
    );
    expect(tables.map(({ name }) => ({ name }))).toEqual(views);
    for (const { name, partitions } of tables) {
      const month = partitions.length === 0 ? '' : ' exclude (month)';
      const parquet = `select *${month} from read_parquet('${output}/${name}/**/*.parquet')`;
      const [row] = (await rowsOf(
        published,
        `select (select count(*) from (${parquet} except all from main.${name})) as surplus,
          (select count(*) from (from main.${name} except all ${parquet})) as missing,
          (select list(column_name || ' ' || column_type) from (describe ${parquet}))
            = (select list(column_name || ' ' || column_type) from (describe from main.${name})) as same_columns`,
      )) as { surplus: number; missing: number; same_columns: boolean }[];
      expect({ name, ...row }).toEqual({ name, surplus: 0, missing: 0, same_columns: true });
    }
  });

  it('splits what has project and date by project and month, and nothing else', async () => {
    const { folder, run } = await openSynced();
    const argv = [
      'export',
      '--output',
      join(folder, 'lake'),
      '--table',
      'daily_kpis,core.projects',
      '--json',
    ];
    const { stdout } = await run(argv);
    expect(JSON.parse(stdout)).toMatchObject({
      tables: [
        { name: 'daily_kpis', files: 2, rows: 27, partitions: ['project_id', 'month'] },
        { name: 'projects', files: 1, rows: 1, partitions: [] },
      ],
    });
    const [project] = readdirSync(join(folder, 'lake', 'daily_kpis'));
    expect(project).toMatch(/^project_id=/);
    expect(readdirSync(join(folder, 'lake', 'daily_kpis', project ?? '')).toSorted()).toEqual([
      'month=2025-01',
      'month=2025-02',
    ]);
    expect(readdirSync(join(folder, 'lake', 'projects'))).toEqual(['data_0.parquet']);
    expect(readdirSync(folder).filter((name) => name.includes('.new-'))).toEqual([]);
  });

  it('refuses a folder that is not empty, and with --overwrite replaces tables of an export alone', async () => {
    const { folder, run } = await openSynced();
    const output = openFolder();
    writeFileSync(join(output, 'mine.txt'), 'mine');
    const argv = ['export', '--output', output];
    const refused = await run([...argv, '--table', 'calendar']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--overwrite');
    expect(readdirSync(output)).toEqual(['mine.txt']);
    mkdirSync(join(output, 'calendar'));
    writeFileSync(join(output, 'calendar', 'stale.parquet'), '');
    expect((await run([...argv, '--table', 'calendar', 'event_days', '--overwrite'])).code).toBe(0);
    expect(readdirSync(join(output, 'calendar'))).toEqual(['data_0.parquet']);
    expect((await run([...argv, '--table', 'calendar', '--overwrite'])).code).toBe(0);
    expect(readdirSync(output).toSorted()).toEqual(['_export.json', 'calendar', 'mine.txt']);
    expect(readFileSync(join(output, 'mine.txt'), 'utf8')).toBe('mine');
    const wrong = await run(['export', '--output', join(folder, 'nowhere'), '--table', 'daily_kpi']);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('did you mean daily_kpis?');
    expect(readdirSync(folder).filter((name) => name.includes('nowhere'))).toEqual([]);
  });

  it('gives exit 7 when nothing was published', async () => {
    const { run } = await openSmallWorld();
    expect((await run(['export'])).code).toBe(7);
  });
});
