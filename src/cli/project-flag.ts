import { z } from 'zod';
import type { PublishedFile } from '../publish/published-file.ts';
import { findProject } from '../report/read-projects.ts';
import { flag } from './flags.ts';

/** Chooses one project of the published file. */
export const projectFlag = flag(
  '<project>',
  'id, name or slug of one project (default: every project)',
  z.string().min(1),
);

/** A project by its id. */
export interface ChosenProject {
  id: string;
  name: string;
}

const projectRow = z.object({
  project_id: z.string(),
  project_name: z.string().nullable(),
  slug: z.string().nullable(),
});

/** The project that is called so; null for every project. @throws AnswerlakeError (configuration) when none or several are called so */
export async function chooseProject(
  file: Pick<PublishedFile, 'rowsAs'>,
  called: string | undefined,
): Promise<ChosenProject | null> {
  if (called === undefined) return null;
  const known = await file.rowsAs(
    projectRow,
    `select project_id, any_value(project_name) as project_name, any_value(slug) as slug
     from (select project_id, name as project_name, slug from core.projects
       union all select project_id, project_name, null from main.sync_freshness where project_id is not null)
     group by project_id order by 2, 1`,
  );
  const { project_id: id, project_name: name } = findProject(known, called);
  return { id, name: name ?? id };
}
