import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { openOutput } from '../../src/cli/terminal/io.ts';
import { AnswerlakeError } from '../../src/errors.ts';
import { cli, fails } from './run.ts';

const signal = AbortSignal.abort(new AnswerlakeError('Stopped by SIGINT.', { class: 'stopped' }));
const simulate = (...argv: string[]) => cli(['simulate', '--port', '0', ...argv], { signal });

it('answerlake simulate shows the keys of its world, and what to type', async () => {
  const flags = ['--world', 'small', '--today', '2025-06-30', '--quota', '9'];
  const { code, stdout, stderr } = await simulate(...flags);
  expect(code).toBe(130);
  expect(stdout).toMatch(/^Simulator of the API: http:\/\/127\.0\.0\.1:\d+ \(data up to 2025-06-30\)\n/);
  expect(stdout).toMatch(
    /all projects:\n {2}small-organization-key\n[\s\S]*Small Shop\n {4}id {2}\S+\n {4}key \S+\n/,
  );
  expect(stderr).toContain('export ANSWERLAKE_KEY=small-organization-key\n');
});

it('answerlake simulate says what to do about a port, faults or a day that it cannot take', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const taken = await simulate('--port', String((server.address() as AddressInfo).port));
  expect(taken).toMatchObject(
    fails(2, 'is taken. Choose another one with --port, or any free one with --port 0'),
  );
  expect(await simulate('--port', '0')).toMatchObject({ code: 130 });
  server.close();
  expect(await simulate('--faults', 'soon')).toMatchObject(fails(2, '--faults: '));
});

it.each<[Record<string, string>, { isTTY?: boolean; columns?: number }, string]>([
  [{}, { isTTY: true, columns: 0 }, '\u001B[31mx\u001B[0m'],
  [{}, { columns: 120 }, 'x'],
  [{ NO_COLOR: '1' }, { isTTY: true, columns: 120 }, 'x'],
  [{ TERM: 'dumb' }, { isTTY: true }, 'x'],
])('with %j, an output %j writes red as %j', (env, terminal, written) => {
  let text = '';
  const stream = { write: (more: string) => (text += more), on: () => 0, ...terminal };
  const output = openOutput(stream, env);
  output.write('x', 'red');
  expect(text).toBe(written);
  expect(output.width).toBe(terminal.isTTY === true ? terminal.columns || 80 : undefined);
});
