import { expect, it } from 'vitest';
import { openSmallWorld, TODAY } from './small-world.ts';

// Sets the title of a window, colours what follows, and does so again with the one-character form of an escape.
const HOSTILE = 'Fern\u001B]0;owned\u0007\u001B[31mhill\u009B31m\u007F\u202E';
const UNSAFE = /(?![\n\t])[\p{Cc}\u202A-\u202E\u2066-\u2069]/u;

it('no command sends escape sequences of the server to a terminal; in a pipe the text is unchanged', async () => {
  const { run, simulator } = await openSmallWorld();
  simulator.override('/api/v2/auth/validate', (_, answer) => ({
    ...answer,
    body: {
      ...Object(answer.body),
      project: { ...simulator.world.projects[0], name: HOSTILE, slug: HOSTILE },
    },
  }));
  simulator.override('/api/v1/prompts', (_, answer) => ({
    ...answer,
    body: JSON.parse(JSON.stringify(answer.body), (name, value: unknown) =>
      name === 'prompt' ? HOSTILE : value,
    ),
  }));
  simulator.override('/api/v2/events', { status: 400, body: { code: HOSTILE, message: HOSTILE } });
  const columns = 200;
  const few = ['--endpoint', 'prompts', 'events', '--today', TODAY];
  const shown = {
    sync: await run(['sync', ...few], { columns }),
    piped: await run(['sync', ...few]),
    status: await run(['status'], { columns }),
    gaps: await run(['gaps']),
    plan: await run(['plan', '--offline', ...few]),
    table: await run(['query', 'select prompt, project_name from prompt_catalog'], { columns }),
    csv: await run(['query', 'from prompt_catalog', '--format', 'csv'], { columns }),
    md: await run(['query', 'from prompt_catalog', '--format', 'md'], { columns }),
    json: await run(['query', 'select prompt from prompt_catalog', '--format', 'json'], { columns }),
    stored: await run(['query', 'select prompt from prompt_catalog limit 1', '--format', 'csv']),
    wrong: await run(['query', `select * from "${HOSTILE}"`]),
  };
  const { stored, ...told } = shown;
  expect(stored.stdout).toBe(`prompt\n${HOSTILE}\n`);
  for (const [name, { stdout, stderr }] of Object.entries(told)) {
    const text = `${stdout}${stderr}`.replaceAll('\r\u001B[2K', '');
    expect({ name, unsafe: UNSAFE.exec(text) }).toEqual({ name, unsafe: null });
  }
  expect(shown.sync.stdout).toMatch(/failed {5}.*events/);
  expect(shown.status.stdout).toContain(String.raw`Fern\u001b]0;owned`);
  expect(shown.table.stdout).toContain(String.raw`Fern\u001b]0;owned`);
  expect(shown.json.report).toContainEqual({ prompt: HOSTILE });
});
