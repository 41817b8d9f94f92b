import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join, sep } from 'node:path';
import type { Config } from '../../config/config.ts';
import { secretsOf } from '../../config/file.ts';
import { PACKAGE_ROOT } from '../../files.ts';

/** Absolute paths of Node and of the program, and its user. */
type Installation = Record<'node' | 'program', string> & ReturnType<typeof ownUser>;

/** The name or id of the user of this process, with the group of an id without a name (`docker run --user 4242`); null: the group that the user database assigns. */
export function ownUser(read: () => { username: string } = userInfo) {
  try {
    return { user: read().username, group: null };
  } catch (error) {
    const [user, group] = [process.getuid?.(), process.getgid?.()];
    if (user === undefined || group === undefined) throw error;
    return { user: String(user), group: String(group) };
  }
}

/** A systemd unit of `answerlake schedule` for this configuration, with absolute paths. */
export function systemdUnit(config: Config, { node, program, user, group }: Installation): string {
  const { directory, path, warehouse, raw } = config;
  const variables = secretsOf(config).flatMap(({ origin }) =>
    origin.startsWith('env:') ? [origin.slice('env:'.length)] : [],
  );
  const outside = [...new Set([dirname(warehouse.path), raw.dir])].filter(
    (folder) => folder !== directory && !folder.startsWith(directory + sep),
  );
  const named = [...new Set(variables)].map((name) => `${name}=…`).join(' and ');
  const lines: Readonly<Record<string, readonly string[]>> = {
    user: [`User=${user}`, ...(group === null ? [] : [`Group=${group}`])],
    directory: [`WorkingDirectory=${escaped(directory)}`],
    environment: [
      `# Write ${named} into it, a line each; mode 0600.`,
      `EnvironmentFile=-${escaped(join(directory, 'keys.env'))}`,
    ].filter(() => variables.length > 0),
    start: [`ExecStart=${[node, program, 'schedule', '--config', path].map(quoted).join(' ')}`],
    // systemd waits for the mount of WorkingDirectory itself; in an empty mount point a run would begin a new warehouse.
    mounts: outside.length === 0 ? [] : [`RequiresMountsFor=${outside.map(quotedPath).join(' ')}`],
    writable: [`ReadWritePaths=${[directory, ...outside].map(quotedPath).join(' ')}`],
  };
  const template = readFileSync(join(PACKAGE_ROOT, 'config', 'answerlake.service'), 'utf8');
  return template.replaceAll(/^\{\{(\w+)\}\}\n/gm, (_, place: string) =>
    (lines[place] ?? []).map((line) => `${line}\n`).join(''),
  );
}

/** systemd reads `%` as a specifier. */
function escaped(text: string): string {
  return text.replaceAll('%', '%%');
}

/** One word of a command line, in which systemd reads `$` as a variable. */
function quoted(text: string): string {
  return quotedPath(text.replaceAll('$', '$$$$'));
}

/** One word of a list of paths. */
function quotedPath(path: string): string {
  const word = escaped(path);
  return /[\s"'\\;]/.test(word) ? `"${word.replaceAll(/["\\]/g, (one) => `\\${one}`)}"` : word;
}
