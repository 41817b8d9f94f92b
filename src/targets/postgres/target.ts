import type { Secret } from '../../secret.ts';
import { readSql } from '../../warehouse/sql.ts';
import { SCHEMAS } from '../../warehouse/tables.ts';
import type { PublishedSource, PublishTarget } from '../target.ts';
import { type TargetStore, writeRows } from '../target-rows.ts';
import { writeChange } from './rows.ts';
import { createSchemas, inSession, readTarget, requireServer, type TargetSession } from './session.ts';
import { changeStructure, writeTargetSettings } from './structure.ts';

/** The permissions that a publish needs. */
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
        const report = await writeRows(storeOf(session, source), source);
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

function storeOf(session: TargetSession, { connection }: PublishedSource): TargetStore {
  return {
    where: { setting: 'warehouse.url', rid: `drop the schemas ${SCHEMAS.join(', ')} there` },
    settings: () => readTarget(session),
    rowsAs: (row, sql) => session.rows(row, sql.replaceAll('{target}', '')),
    changeStructure: (content, known) => changeStructure(session, content, known),
    // Before the first row, so that no reader sees a row of another project.
    prepare: () => session.run('select meta.target_policies()'),
    write: (change) => writeChange(session, connection, change),
    writeSettings: (settings) => writeTargetSettings(session, settings),
  };
}
