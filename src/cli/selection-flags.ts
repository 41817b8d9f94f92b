import { z } from 'zod';
import { isAskedFor } from '../config/choice.ts';
import type { Config } from '../config/config.ts';
import type { Catalogue } from '../endpoints/catalogue.ts';
import { usageError, suggestion } from '../errors.ts';
import { syncRequest, type SyncRequest } from '../run/sync-request.ts';
import { quoteLiteral, readSql } from '../warehouse/sql.ts';
import {
  dayFlag,
  durationFlag,
  valueFlag,
  listFlag,
  projectsFlag,
  someText,
  switchFlag,
  wholeFlag,
} from './flags.ts';
import type { PublishedFile } from '../publish/published-file.ts';
import { findProject, knownProject, namedProject } from '../publish/find-project.ts';

/** The flags that select the scope of a run. */
export const selectionFlags = z.strictObject({
  job: valueFlag('<name>', 'use the settings of this job in the jobs folder', z.string()),
  project: valueFlag('<project...>', 'only these projects (ids, names or slugs)', projectsFlag),
  endpoint: valueFlag('<name...>', 'only these endpoints (names, or ends of API paths)', listFlag),
  from: valueFlag('<date>', 'pull this day and later ones again', dayFlag),
  to: valueFlag('<date>', 'last day of --from (default: today)', dayFlag),
  full: switchFlag('pull everything again, whatever is stored'),
  lookbackDays: valueFlag('<days>', 'days before today to request again', wholeFlag(0, 3660)),
  today: valueFlag('<date>', 'treat this UTC date as today; not in the future', dayFlag),
});

/** The flags of a run. */
export const runFlags = selectionFlags.extend({
  maxWait: valueFlag('<duration>', 'longest wait for the hourly quota (default: 2h)', durationFlag),
  acceptShrink: switchFlag('accept answers that lost most of their rows'),
  yes: switchFlag('remove all archived answers that are older than raw.keep_days, however many'),
  strict: switchFlag('exit 3 on any refused row or drift'),
});
type Flags = z.output<typeof selectionFlags> & Partial<z.output<typeof runFlags>>;

/** The request of the flags; a job supplies the missing ones. @throws AnswerlakeError 'configuration' */
export async function syncRequestOf(flags: Flags, config: Config): Promise<SyncRequest> {
  const { job, project, endpoint, maxWait, yes = false, ...rest } = flags;
  if (flags.from === undefined && flags.to !== undefined)
    throw usageError(['--to needs --from:', 'name the first day too.']);
  return syncRequest({
    ...(job === undefined ? {} : await requestOfJob(job, config)),
    ...rest,
    ...(project === undefined ? {} : { projects: project }),
    ...(endpoint === undefined ? {} : { endpoints: endpointNames(endpoint, config.catalogue) }),
    ...(maxWait === undefined ? {} : { maxWaitMs: maxWait }),
    pruneAll: yes,
  });
}

async function requestOfJob(name: string, config: Config) {
  const { jobRequest, loadJobs } = await import('../daemon/schedule/jobs.ts');
  const jobs = loadJobs(config.jobsDir, config.catalogue);
  const job = jobs.find((one) => one.name === name);
  if (job !== undefined) return jobRequest(job);
  const names = jobs.map((one) => one.name);
  throw usageError(`--job: there is no job ${name} in ${config.jobsDir}; ${suggestion(name, names)}`);
}

/** @throws AnswerlakeError 'configuration' when one is unknown */
function endpointNames(names: readonly string[], { asked, namesMeant }: Catalogue): string[] {
  const known = asked.map((endpoint) => endpoint.name);
  const meant = names.flatMap((name) => {
    const found = namesMeant(name);
    if (found.length > 0) return found;
    throw usageError(`--endpoint: there is no endpoint ${name}; ${suggestion(name, known)}`);
  });
  return [...new Set(meant)];
}

/** Chooses one project of the published file. */
const PROJECT_TEXT = 'id, name or slug of one project (default: every project)';
export const projectFlag = valueFlag('<project>', PROJECT_TEXT, someText);

/** The project with this name, id or slug; null for every project. @throws AnswerlakeError (configuration) if none or several match */
export async function chooseProject(file: PublishedFile, called: string | undefined) {
  if (called === undefined) return null;
  const known = await file.rowsAs(knownProject, readSql('status/projects'));
  const { project_id: id, project_name: name } = findProject(known, called);
  return { id, name: name ?? id };
}

/** SQL: the endpoint of the row is no longer requested for its project, whether or not a run has happened since. */
export async function leftOut(file: PublishedFile, { accounts, catalogue }: Config): Promise<string> {
  const known = (await file.rowsAs(knownProject, readSql('status/projects'))).map(namedProject);
  const isAsked = isAskedFor(accounts, known);
  const pairs = known.flatMap(({ id }) => {
    const of = `project_id = ${quoteLiteral(id)}`;
    if (!isAsked(id)) return [of];
    const left = catalogue.asked.filter(({ name }) => !isAsked(id, name));
    return left.map(({ name }) => `(${of} and endpoint = ${quoteLiteral(name)})`);
  });
  return pairs.length === 0 ? 'false' : `(${pairs.join(' or ')})`;
}

/** SQL: the row belongs to the chosen project, or to any. @throws as `chooseProject` */
export async function chosenRows(file: PublishedFile, called: string | undefined): Promise<string> {
  const project = await chooseProject(file, called);
  return project === null ? 'true' : `project_id = ${quoteLiteral(project.id)}`;
}
