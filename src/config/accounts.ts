import type { EndpointProblem } from './endpoints.ts';

/** Accounts that share a name, and projects that two entries list. `accounts` is unchecked input. */
export function accountProblems(accounts: unknown): EndpointProblem[] {
  if (!Array.isArray(accounts)) return [];
  const problems: EndpointProblem[] = [];
  const names = new Map<string, number>();
  const owners = new Map<string, number>();
  for (const [index, account] of accounts.entries()) {
    const { name, projects } = fieldsOf(account);
    if (typeof name === 'string') {
      const first = names.get(name);
      if (first !== undefined) problems.push({ path: [index, 'name'], message: repeatedName(name, first) });
      names.set(name, first ?? index);
    }
    for (const [place, project] of listOf(projects).entries()) {
      const owner = owners.get(project);
      const message = `project ${project} is already listed by accounts[${owner ?? index}]: remove one of the two`;
      if (owner !== undefined) problems.push({ path: [index, 'projects', place], message });
      owners.set(project, owner ?? index);
    }
  }
  return problems;
}

function repeatedName(name: string, first: number): string {
  return `the name ${name} is already taken by accounts[${first}]: choose another one`;
}

function fieldsOf(account: unknown): { name?: unknown; projects?: unknown } {
  return typeof account === 'object' && account !== null ? account : {};
}

function listOf(projects: unknown): string[] {
  if (!Array.isArray(projects)) return [];
  return projects.filter((project): project is string => typeof project === 'string');
}
