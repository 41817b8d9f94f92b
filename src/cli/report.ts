import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { z } from 'zod';
import { messageOf, usageError } from '../errors.ts';
import { noPublishedFile } from '../publish/published-file.ts';
import type { ReportRequest } from '../report/build-report.ts';
import { CHART_NAMES } from '../report/cards.ts';
import type { PicturesRequest } from '../report/pictures.ts';
import { defined, type CommandContext } from './host.ts';
import { valueFlag, someText, switchFlag, wholeFlag, wordFlag } from './flags.ts';
import { requireOtherFile, writeOutput } from './output-file.ts';
import { projectFlag } from './selection-flags.ts';

const place = someText.refine((path) => path !== '-', 'is not a file: name one');

const FORMATS = ['html', 'svg', 'png'] as const;

const flagSchema = z.strictObject({
  output: valueFlag('<path>', 'file (html) or folder (svg, png); default: answerlake-report[.html]', place),
  project: projectFlag,
  format: valueFlag('<format>', 'svg, png or html; default: by --output, else html', wordFlag(FORMATS)),
  chart: valueFlag('<name>', `with svg or png, one of: ${CHART_NAMES.join(', ')}`, wordFlag(CHART_NAMES)),
  days: valueFlag(
    '<number>',
    'days shown first; the page offers other ranges (default: 28)',
    wholeFlag(7, 1100),
  ),
  title: valueFlag('<text>', 'heading of the page', someText),
  logo: valueFlag('<file>', 'PNG, JPEG or SVG next to the heading, embedded in the page', place),
  open: switchFlag('show the page in the browser'),
});
type Flags = z.output<typeof flagSchema>;

/** `answerlake report`: charts from the published file; needs no key and no network. */
export const define = defined({ flags: flagSchema }, async (context, flags) => {
  const ending = extname(flags.output ?? '')
    .slice(1)
    .toLowerCase();
  const format = flags.format ?? FORMATS.find((one) => one === ending) ?? 'html';
  if (format === 'html' && flags.chart !== undefined)
    throw usageError('--chart goes with --format svg or png; the HTML page holds every chart.');
  const { open, title, logo } = flags;
  for (const [name, value] of Object.entries({ open: open || undefined, title, logo }))
    if (value !== undefined && format !== 'html') throw usageError(`--${name} goes with an HTML page.`);
  const config = context.loadConfig({ secrets: 'leave' });
  const { path } = config.warehouse;
  if (flags.output !== undefined) requireOtherFile(config, flags.output);
  if (!existsSync(path)) throw noPublishedFile(path);
  const { project: projectId, days } = flags;
  const { maxAge: maxAgeMs } = config.freshness;
  const frame = { title: title ?? config.report.title, logo: logo ?? config.report.logo };
  const request = { ...frame, path, maxAgeMs, projectId, days, now: context.effects.now() };
  if (format === 'html') await writePage(context, request, flags);
  else await writePictures(context, { ...request, format, chart: flags.chart }, flags);
});

async function writePage(context: CommandContext, request: ReportRequest, flags: Flags): Promise<void> {
  const { buildReportFiles } = await import('../report/build-report.ts');
  const target = resolve(flags.output ?? 'answerlake-report.html');
  const folder = basename(target, extname(target));
  const files: { path: string; bytes: number }[] = [];
  for await (const { name, html } of buildReportFiles(request, folder)) {
    const file = name === null ? target : join(dirname(target), name);
    await writeOutput(file, [html]);
    files.unshift({ path: file, bytes: Buffer.byteLength(html) });
  }
  context.printChange({ files }, () => target);
  if (flags.open) await openInBrowser(context, target);
  if (files.length > 1 && !context.flags.json)
    context.note(`An overview; ${files.length - 1} pages of projects are in ${folder}/ next to it.`);
  if (flags.open) context.next(['answerlake examples', 'questions for the same figures']);
  else context.next(['answerlake report --open', 'show it in the browser']);
}

/** The program of each platform that opens a file as its user would. */
const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

async function openInBrowser(context: CommandContext, file: string): Promise<void> {
  const { BROWSER } = context.env;
  const [program = '', ...args] = BROWSER ? [BROWSER] : (OPENERS[process.platform] ?? ['xdg-open']);
  const child = spawn(program, [...args, file], { stdio: 'ignore', detached: true });
  try {
    await once(child, 'spawn');
    child.unref();
  } catch (error) {
    context.note(`${program} could not be started (${messageOf(error)}): open ${file} in a browser.`);
  }
}

async function writePictures(context: CommandContext, request: PicturesRequest, flags: Flags): Promise<void> {
  const { buildPictures } = await import('../report/pictures.ts');
  const pictures = await buildPictures(request);
  const target = resolve(flags.output ?? 'answerlake-report');
  const isFile = extname(target).toLowerCase() === `.${request.format}`;
  if (isFile && pictures.length !== 1) {
    throw usageError([
      `${target} is one file, and there are ${pictures.length} charts.`,
      'Name a folder, or add --chart and --project.',
    ]);
  }
  const files: { path: string; bytes: number; project_id: string; chart: string }[] = [];
  const skipped: { project_id: string; chart: string; reason: string | null }[] = [];
  for (const { content, fileName, projectId: project_id, chart, noData: reason } of pictures) {
    const path = isFile ? target : join(target, fileName);
    if (content === null) {
      skipped.push({ project_id, chart, reason });
      if (!context.flags.json) context.note(`${fileName}: no data. ${reason}`);
    } else {
      await writeOutput(path, [content]);
      files.push({ path, bytes: Buffer.byteLength(content), project_id, chart });
    }
  }
  context.printChange({ files, skipped }, () => files.map((file) => file.path).join('\n'));
}
