import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ownUser } from '../../../src/daemon/schedule/systemd-unit.ts';
import { cli } from '../../cli/run.ts';
import { openFolder } from '../../support/folder.ts';

const CONFIG = `version: 1
api: { base_url: 'http://127.0.0.1:9' }
accounts: [{ name: acme, api_key: env:ACME_KEY }, { name: beta, api_key: 'file:beta.key' }]
sync: { start_date: 2025-03-01 }
`;

async function unitOf(folder: string, more = ''): Promise<string> {
  writeFileSync(join(folder, 'answerlake.yaml'), CONFIG + more);
  mkdirSync(join(folder, 'jobs'), { recursive: true });
  writeFileSync(join(folder, 'jobs', 'nightly.yaml'), "name: nightly\nschedule: '17 2 * * *'\n");
  const { stdout } = await cli(['schedule', '--systemd', '--config', join(folder, 'answerlake.yaml')]);
  return stdout;
}

const quotedBlanks = (path: string): string => (path.includes(' ') ? `"${path}"` : path);

it('answerlake schedule --systemd prints a unit with its paths and user, and without keys', async () => {
  const folder = openFolder();
  const lines = (await unitOf(folder)).split('\n');
  const program = [process.execPath, realpathSync(process.argv[1] ?? '')];
  const words = [...program, 'schedule', '--config', join(folder, 'answerlake.yaml')];
  expect(lines).toContain(`ExecStart=${words.map(quotedBlanks).join(' ')}`);
  expect(lines).toContain(`WorkingDirectory=${folder}`);
  expect(lines).toContain(`ReadWritePaths=${quotedBlanks(folder)}`);
  expect(lines).toContain(`EnvironmentFile=-${folder}/keys.env`);
  expect(lines).toContain('# Write ACME_KEY=… into it, a line each; mode 0600.');
  expect(lines).toContain(`User=${ownUser().user}`);
  expect(lines).toContain('ExecReload=/bin/kill -HUP $MAINPID');
  // systemd adds it for WorkingDirectory.
  expect(lines.filter((line) => line.startsWith('RequiresMountsFor='))).toEqual([]);
});

it('a dollar sign is doubled in the command of a unit, and in its paths it is not', async () => {
  const lines = (await unitOf(openFolder(), 'warehouse: { path: /srv/la$ke/answers.duckdb }\n')).split('\n');
  expect(lines).toContain('RequiresMountsFor=/srv/la$ke');
  const folder = join(openFolder(), 'la$ke');
  mkdirSync(folder);
  expect(await unitOf(folder)).toContain('la$$ke/answerlake.yaml');
});

it('a process without a name in the user database is named by its ids', () => {
  const nameless = (): never => {
    throw new Error('uv_os_get_passwd returned ENOENT');
  };
  const [user, group] = [String(process.getuid?.()), String(process.getgid?.())];
  expect(ownUser(nameless)).toEqual({ user, group });
  expect(ownUser(() => ({ username: 'lake' }))).toEqual({ user: 'lake', group: null });
});

it('a unit names folders outside, and quotes blanks and percent signs', async () => {
  const folder = join(openFolder(), 'my 100% data');
  mkdirSync(folder);
  const text = await unitOf(folder, 'warehouse: { path: /srv/lake/answers.duckdb }\nraw: { dir: . }\n');
  const lines = text.split('\n');
  const shown = folder.replace('%', '%%');
  expect(lines).toContain(`WorkingDirectory=${shown}`);
  expect(lines).toContain(`ReadWritePaths="${shown}" /srv/lake`);
  expect(lines).toContain('RequiresMountsFor=/srv/lake');
  expect(lines.find((line) => line.startsWith('ExecStart='))).toContain(
    `--config "${shown}/answerlake.yaml"`,
  );
});

it.skipIf(!existsSync('/usr/bin/systemd-analyze'))('systemd accepts the unit', async () => {
  const folder = openFolder();
  const unit = join(folder, 'answerlake.service');
  writeFileSync(unit, await unitOf(folder));
  expect(execFileSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })).toBe('');
});
