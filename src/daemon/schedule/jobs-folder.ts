import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AnswerlakeError, messageOf, codeOf } from '../../errors.ts';
import type { Config } from '../../config/config.ts';
import { checkYaml, ConfigurationError } from '../../config/yaml-check.ts';
import { shortPath } from '../../config/file.ts';
import { parseYaml } from '../../config/yaml-source.ts';
import { ENDPOINT_NAMES, namesMeant } from '../../endpoints/catalogue.ts';
import { jobSchema, normaliseJob, type EndpointsMeant, type Job } from './job-file.ts';

export interface JobsRequest {
  /** Absolute path of the jobs folder. */
  directory: string;
  meant: EndpointsMeant;
  /** All endpoint names, for suggestions. */
  endpointNames: readonly string[];
}

/** All jobs of the configuration's jobs folder. @throws AnswerlakeError 'configuration' */
export function jobsOf(config: Config): Job[] {
  return loadJobs({ directory: config.jobsDir, meant: namesMeant, endpointNames: ENDPOINT_NAMES });
}

/**
 * Reads every `*.yaml` of the jobs folder, sorted by file name.
 * @throws ConfigurationError with every problem of every file at once; AnswerlakeError when there is no job
 */
export function loadJobs({ directory, meant, endpointNames }: JobsRequest): Job[] {
  const jobs: Job[] = [];
  const problems: ConfigurationError['problems'][number][] = [];
  const schema = jobSchema(meant, endpointNames);
  for (const name of jobFiles(directory)) {
    const file = shortPath(join(directory, name));
    const text = readText(join(directory, name));
    if (typeof text !== 'string') {
      problems.push({ file, line: 1, column: 1, path: '', message: text.problem });
      continue;
    }
    const source = parseYaml(text, file);
    const checked = checkYaml(source, schema);
    if ('problems' in checked) {
      problems.push(...checked.problems.map((problem) => ({ file, ...problem })));
      continue;
    }
    const job = normaliseJob(checked.value, file, meant);
    const twin = jobs.find((other) => other.name === job.name);
    if (twin !== undefined) {
      const message = `the name ${job.name} is already taken by ${twin.file}: choose another one`;
      problems.push({ file, ...source.positionOf(['name']), path: 'name', message });
    }
    jobs.push(job);
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  if (jobs.length > 0) return jobs;
  throw new AnswerlakeError(
    `There is no job in ${shortPath(directory)}. Put a file like nightly.yaml there (answerlake init writes four), or name another folder in jobs_dir.`,
    { class: 'configuration' },
  );
}

function readText(path: string): string | { problem: string } {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    return { problem: `cannot be read: ${messageOf(error)}; fix its permissions, or move it away` };
  }
}

function jobFiles(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => /\.ya?ml$/.test(name) && !name.startsWith('.'))
      .sort();
  } catch (error) {
    const message =
      codeOf(error) === 'ENOENT'
        ? `There is no jobs folder at ${shortPath(directory)}. Write it with answerlake init, or name another one in jobs_dir.`
        : `The jobs folder ${shortPath(directory)} cannot be read: ${messageOf(error)}.`;
    throw new AnswerlakeError(message, { class: 'configuration', cause: error });
  }
}
