import { z } from 'zod';
import { promptLookup } from '../endpoints/prompts.ts';
import type { AccountProject } from '../accounts/validate-account.ts';
import { listSlice } from '../slice.ts';
import { askSlices, type SliceJob } from './ask-slices.ts';
import type { LoadQueue } from './load-queue.ts';
import type { RunState } from './run-state.ts';

/** Prompts that only events know are looked up once ever, a few a run; the newest first. */
export async function lookUpPrompts(
  state: RunState,
  queue: LoadQueue,
  projects: readonly AccountProject[],
): Promise<void> {
  const { connection, context } = state;
  const unknown = await connection.rowsAs(
    z.object({ project_id: z.string(), prompt_id: z.string() }),
    `select e.project_id, e.prompt_id
     from core.event_prompts e
     where e.project_id in (select unnest($1::varchar[]))
       and not exists (from core.prompts p where p.project_id = e.project_id and p.prompt_id = e.prompt_id)
       and exists (from meta.slices s where s.endpoint = 'prompts' and s.project_id = e.project_id
         and s.status in ('loaded', 'empty', 'truncated'))
       and not exists (from meta.slices s where s.endpoint = 'prompt' and s.project_id = e.project_id
         and s.scope_id = e.prompt_id and (s.status <> 'failed' or s.error_class = 'contract'))
     group by e.project_id, e.prompt_id order by max(e.occurred_at) desc, e.prompt_id limit $2`,
    [projects.map(({ projectId }) => projectId), context.config.sync.maxPromptLookups],
  );
  const byId = new Map(projects.map((project) => [project.projectId, project]));
  const jobs = unknown.flatMap(({ project_id: projectId, prompt_id: promptId }): SliceJob[] => {
    const project = byId.get(projectId);
    if (project === undefined) return [];
    const slice = listSlice({
      endpoint: promptLookup.name,
      projectId,
      scope: 'prompt',
      scopeId: promptId,
    });
    return [{ project, planned: { slice, asked: null, limit: null } }];
  });
  await askSlices(state, queue, jobs);
}
