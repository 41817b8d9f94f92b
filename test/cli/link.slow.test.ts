import { execFileSync } from 'node:child_process';
import { cpSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { readVersion } from '../../src/package.ts';
import { openFolder } from '../support/folder.ts';

const COPIED = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'scripts', 'src', 'simulator', 'sql'];

it.skipIf(process.platform === 'win32')(
  'in a checkout, npx finds the program, and a linked one survives a rebuild',
  () => {
    const folder = openFolder();
    const cwd = join(folder, 'my clone');
    for (const name of COPIED) cpSync(name, join(cwd, name), { recursive: true });
    symlinkSync(resolve('node_modules'), join(cwd, 'node_modules'));
    const env = { ...process.env, npm_config_prefix: join(folder, 'global') };
    const npm = (...argv: string[]): string =>
      execFileSync('npm', argv, { cwd, env, encoding: 'utf8', stdio: 'pipe' });
    npm('run', 'build');
    expect(npm('exec', '--offline', '--', 'answerlake', '--version')).toBe(`${readVersion()}\n`);
    npm('link', '--ignore-scripts', '--no-audit', '--no-fund');
    rmSync(join(cwd, 'dist'), { recursive: true });
    npm('run', 'build');
    const linked = join(folder, 'global', 'bin', 'answerlake');
    expect(execFileSync(linked, ['--version'], { encoding: 'utf8' })).toBe(`${readVersion()}\n`);
  },
);
