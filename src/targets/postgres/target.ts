import type { Secret } from '../../secret.ts';
import { readTables } from '../../warehouse/tables.ts';
import { readSql } from '../../warehouse/sql.ts';
import { nameRow } from '../../warehouse/connection.ts';
import { type PublishedSource, type PublishTarget, requireKnownRuns, type TargetReport } from '../target.ts';
import { createSchemas, inSession, readTarget, requireServer, SCHEMAS } from './session.ts';
import type { TargetSession } from './session.ts';
import { comparePartitions, partitionRow, partitionsOf, writeChanges } from './rows.ts';
import { changeStructure, structureDigest, structureSettings, refreshStored } from './structure.ts';

/** What a publish needs the right to do. */
const TRIAL = `begin;
${createSchemas()}
${SCHEMAS.map((schema) => `create table ${schema}.target_trial ();`).join('\n')}
rollback;`;

/** A PostgreSQL database with the content of the published file. */
export function postgresTarget(url: Secret): PublishTarget {
  return {
    name: `PostgreSQL (${url.origin})`,
    bringUpToDate: (source) =>
      inSession(url, async (session) => {
        await requireServer(session, url);
        await session.run(readSql('postgres/begin'));
        const report = await bringUpToDate(session, source);
        await session.run(report === null ? 'rollback' : 'commit');
        return report;
      }),
    inspect: () =>
      inSession(url, async (session) => {
        const version = await requireServer(session, url);
        const settings = await readTarget(session);
        await session.run(TRIAL);
        return { what: `PostgreSQL ${version}`, publishedAt: settings.get('published_at') ?? null };
      }),
  };
}

async function bringUpToDate(session: TargetSession, source: PublishedSource): Promise<TargetReport | null> {
  const settings = await readTarget(session);
  const tables = await readTables(source.connection, source.catalog);
  const structure = structureDigest(tables);
  const publishedAt = source.settings.get('published_at') ?? '';
  if (settings.has('structure')) {
    const held = await session.rows(
      nameRow,
      'select run_id as name from meta.runs order by sequence nulls first, run_id',
    );
    const where = { setting: 'warehouse.url', rid: 'drop the schemas core, meta, detail and main there' };
    await requireKnownRuns(source, held, where);
  }
  const isSameStructure = settings.get('structure') === structure;
  if (isSameStructure && settings.get('published_at') === publishedAt) return null;
  const empty = isSameStructure ? [] : await changeStructure(session, tables, settings);
  await session.run('delete from meta.target_parts where table_name = any($1)', [empty]);
  const sql = 'select table_name, part, row_count::text, digest from meta.target_parts';
  const held = await session.rows(partitionRow, sql);
  const changes = comparePartitions(tables, await partitionsOf(source, tables), held);
  const report = await writeChanges(session, source, changes);
  await refreshStored(session);
  const written = { structure, ...structureSettings(tables), published_at: publishedAt };
  await session.run(
    `insert into meta.target_settings (name, value) select * from unnest($1::text[], $2::text[])
     on conflict (name) do update set value = excluded.value`,
    [Object.keys(written), Object.values(written)],
  );
  return report;
}
