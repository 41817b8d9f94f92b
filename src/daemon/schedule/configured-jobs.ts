import type { Config } from '../../config/config.ts';
import { ENDPOINT_NAMES, namesMeant } from '../../endpoints/endpoint-names.ts';
import type { Job } from './job-file.ts';
import { loadJobs } from './jobs-folder.ts';

/** All jobs of the configuration's jobs folder. @throws AnswerlakeError 'configuration' */
export function jobsOf(config: Config): Job[] {
  return loadJobs({ directory: config.jobsDir, meant: namesMeant, endpointNames: ENDPOINT_NAMES });
}
