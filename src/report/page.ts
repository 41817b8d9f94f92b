import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { messageOf, usageError } from '../errors.ts';
import { PACKAGE_ROOT } from '../files.ts';
import type { OverviewProject } from './key-figures.ts';
import { type Child, formatInstant, markup, Markup } from './text.ts';

const TITLE = 'AI answer visibility';
const IMAGE_TYPES: Readonly<Record<string, string>> = {
  png: 'png',
  jpg: 'jpeg',
  jpeg: 'jpeg',
  svg: 'svg+xml',
};

/** @throws AnswerlakeError 'configuration' for a logo that cannot be read */
export function pictureAddress(path: string): string {
  const type = IMAGE_TYPES[extname(path).slice(1).toLowerCase()];
  try {
    if (type === undefined) throw new Error('it is neither PNG nor JPEG nor SVG');
    return `data:image/${type};base64,${readFileSync(path).toString('base64')}`;
  } catch (cause) {
    throw usageError(`The logo ${path} cannot be used: ${messageOf(cause)}`, cause);
  }
}

/** The head of every page. */
export interface PageFrame {
  /** Milliseconds since the epoch. */
  now: number;
  /** Heading of the page. */
  title?: string;
  /** Path of a picture next to the heading. */
  logo?: string | null;
}

/** What `npm run build` makes for the page: its style sheet, and the drawing code, so that the same functions draw here and there. */
export const readBuilt = (name: string): string =>
  readFileSync(join(PACKAGE_ROOT, 'dist', 'src', 'report', name), 'utf8');

function pageStyle(sections: readonly string[]): string {
  const chosen = sections.map((id) => `body:has(#${id}:target) .switch a[href="#${id}"]`);
  return `${readBuilt('page.css')}
${[...chosen, 'body:not(:has(.project:target)) .switch a:first-child'].join(',')}{background:var(--own);color:var(--card);border-color:var(--own)}
`;
}

/** A page in parts, so that more can be added around its content; `policy` allows its own script and nothing else. */
export type Page = Record<'before' | 'main' | 'after' | 'policy', string>;

interface PageParts {
  main: Child;
  controls?: Child;
  /** Printed under the heading, and placed before it in the page title, because browsers name the PDF after it. */
  subject?: string;
  /** The ids that its switch leads to. */
  sections?: readonly string[];
  /** The data for the page's script. */
  data?: { days: number; projects: readonly OverviewProject[] };
}

/** @throws AnswerlakeError 'configuration' for a logo that cannot be read */
export function pageOf({ now, title: heading = TITLE, logo = null }: PageFrame, parts: PageParts): Page {
  const { main, controls = '', subject = '', sections = [], data: drawn = { days: 0, projects: [] } } = parts;
  // JSON that cannot end the element around it.
  const data = JSON.stringify(drawn).replaceAll('<', String.raw`\u003c`);
  const script = readBuilt('page-script.js');
  const digest = createHash('sha256').update(script).digest('base64');
  const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`;
  const before = markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">
<title>${subject === '' ? heading : `${subject} · ${heading}`}</title><link rel="icon" href="data:,">
<style>${new Markup(pageStyle(sections))}</style></head>
<body>
<header>${logo === null ? '' : markup`<img class="logo" src="${pictureAddress(logo)}" alt="">`}<h1>${heading}</h1><p class="meta">Created ${formatInstant(now)}. Days are in UTC; the current day is left out because it is not complete.</p>${subject === '' ? '' : markup`<p class="cover">${subject}</p>`}<div class="controls">${controls}</div></header>
<main>`;
  const after = markup`</main>
<div id="tooltip" aria-hidden="true" hidden></div><div id="crosshair" aria-hidden="true" hidden></div>
<script type="application/json" id="report-data">${new Markup(data)}</script>
<script>${new Markup(script)}</script>
</body></html>
`;
  return { before: before.text, main: markup`${main}`.text, after: after.text, policy };
}

/** The page as one HTML document. */
export function htmlOf({ before, main, after }: Page, { above = '', below = '' } = {}): string {
  return [before, above, main, below, after].join('');
}
