import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { changeFile } from '../support/file-reader.ts';
import { makeFolder, openFolder } from '../support/folder.ts';
import { writePublished } from './published.ts';
import { cli, type CliOptions } from './run.ts';

const home = makeFolder();
const config = await writePublished(home);
await changeFile(
  join(home, 'data', 'answers.duckdb'),
  `insert into core.visibility select 'p1', 'day', unnest(generate_series(date '2025-03-01', date '2025-03-04', interval '1 day')), 'project', 'p1', 40, 'r1', '2025-03-05'`,
);

const report = (argv: readonly string[], options?: CliOptions) =>
  cli(['report', '--config', config, ...argv], options);

it('answerlake report writes one page of one project by its slug, says where, and --open shows it', async () => {
  const folder = openFolder();
  const [file, seen] = [join(folder, 'deep', 'page.html'), join(folder, 'seen')];
  const BROWSER = join(folder, 'browser');
  writeFileSync(BROWSER, `#!/bin/sh\necho "$1" > '${seen}'\n`, { mode: 0o755 });
  const logo = join(home, 'logo.svg');
  writeFileSync(logo, '<svg/>');
  const flags = ['--output', file, '--json', '--project', 'FERNHILL', '--title', 'Acme', '--logo', logo];
  const made = await report([...flags, '--open'], { env: { BROWSER } });
  const html = readFileSync(file, 'utf8');
  expect(html).toContain('<bdi>Fernhill</bdi>');
  expect(html).toContain('src="data:image/svg+xml;base64,PHN2Zy8+"');
  expect(html).toMatch(/<h1>Acme<\/h1>.*<p class="cover">Fernhill, 1 Mar – 4 Mar 2025<\/p>/s);
  const files = [{ path: file, bytes: Buffer.byteLength(html) }];
  expect(made).toMatchObject({ code: 0, report: { files } });
  expect(existsSync(`${file}.tmp`)).toBe(false);
  await expect.poll(() => readFileSync(seen, 'utf8')).toBe(`${file}\n`);
});

it('answerlake report --open names the page where no browser starts', async () => {
  const page = join(openFolder(), 'page.html');
  const stderr = expect.stringContaining(`open ${page} in a browser`);
  const env = { BROWSER: join(home, 'nowhere') };
  expect(await report(['--output', page, '--open'], { env })).toMatchObject({ code: 0, stderr });
});

it.each([
  [['--chart', 'visibility'], 2, '--chart goes with --format svg or png'],
  [['--logo', 'logo.gif'], 2, 'it is neither PNG nor JPEG nor SVG'],
  [['--open', '--format', 'svg'], 2, '--open goes with an HTML page'],
  [['--format', 'svg', '--chart', 'pie'], 2, '"pie" is not one of visibility'],
  [['--days', '6'], 2, '"6" is not a whole number from 7 to 1100'],
  [['--project', 'nobody'], 2, 'has no project "nobody"'],
  [['--format', 'svg', '--output', 'one.svg'], 2, 'is one file, and there are 13 charts'],
  // The page was written into it.
  [['--output', 'one.png'], 2, 'is one file, and there are 13 charts'],
  [['--output', '-'], 2, 'is not a file: name one'],
  [['--output', '/proc/report.html'], 7, 'its folder is missing; check the path'],
])('answerlake report refuses %j', async (argv, code, message) => {
  expect(await report(argv)).toMatchObject({ code, stderr: expect.stringContaining(message) });
});

it('answerlake report writes each chart as a picture, or one into a file, and names what has no data', async () => {
  const output = join(openFolder(), 'pictures');
  const { code, stdout, stderr } = await report(['--format', 'svg', '--output', output]);
  expect([code, stdout]).toEqual([0, `${join(output, 'fernhill-visibility.svg')}\n`]);
  expect(stderr).toContain('fernhill-ai-visits.svg: no data. ');
  expect(readdirSync(output)).toEqual(['fernhill-visibility.svg']);
  const one = join(output, 'one.png');
  const argv = ['--format', 'png', '--chart', 'visibility', '--output', one];
  expect((await report(argv)).stdout).toBe(`${one}\n`);
  expect(readFileSync(one).subarray(1, 4).toString()).toBe('PNG');
});
