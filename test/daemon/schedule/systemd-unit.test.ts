import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { userInfo } from 'node:os';
import { expect, it } from 'vitest';
import { BUILT } from '../../support/program.ts';
import { openFolder } from '../../support/folder.ts';

const CONFIG = `version: 1
api: { base_url: 'http://127.0.0.1:9' }
accounts: [{ name: acme, api_key: env:ACME_KEY }, { name: beta, api_key: 'file:beta.key' }]
sync: { start_date: 2025-03-01 }
`;

function unitOf(folder: string, more = ''): string {
  writeFileSync(join(folder, 'answerlake.yaml'), CONFIG + more);
  mkdirSync(join(folder, 'jobs'), { recursive: true });
  writeFileSync(join(folder, 'jobs', 'nightly.yaml'), "name: nightly\nschedule: '17 2 * * *'\n");
  return execFileSync(process.execPath, [BUILT, 'schedule', '--systemd'], {
    cwd: folder,
    encoding: 'utf8',
    env: {},
  });
}

it('answerlake schedule --systemd prints a unit with its paths and user, and without keys', () => {
  const folder = realpathSync(openFolder());
  const lines = unitOf(folder).split('\n');
  expect(lines).toContain(
    `ExecStart=${process.execPath} ${BUILT} schedule --config ${folder}/answerlake.yaml`,
  );
  expect(lines).toContain(`WorkingDirectory=${folder}`);
  expect(lines).toContain(`ReadWritePaths=${folder}`);
  expect(lines).toContain(`EnvironmentFile=-${folder}/keys.env`);
  expect(lines).toContain('# Write ACME_KEY=… into it, a line each; mode 0600.');
  expect(lines).toContain(`User=${userInfo().username}`);
  expect(lines).toContain('ExecReload=/bin/kill -HUP $MAINPID');
});

it('a unit names folders outside, and quotes blanks and percent signs', () => {
  const folder = join(realpathSync(openFolder()), 'my 100% data');
  mkdirSync(folder);
  const lines = unitOf(folder, 'warehouse: { path: /srv/lake/answers.duckdb }\n').split('\n');
  const shown = folder.replace('%', '%%');
  expect(lines).toContain(`WorkingDirectory=${shown}`);
  expect(lines).toContain(`ReadWritePaths="${shown}" /srv/lake`);
  expect(lines.find((line) => line.startsWith('ExecStart='))).toContain(
    `--config "${shown}/answerlake.yaml"`,
  );
});

it.skipIf(!existsSync('/usr/bin/systemd-analyze'))('systemd accepts the unit', () => {
  const folder = realpathSync(openFolder());
  const unit = join(folder, 'answerlake.service');
  writeFileSync(unit, unitOf(folder));
  expect(execFileSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })).toBe('');
});
