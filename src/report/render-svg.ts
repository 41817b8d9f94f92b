import { parse, View, Warn, type LoggerInterface } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { AnswerlakeError } from '../errors.ts';
import type { Spec } from './chart.ts';
import { escapeMarkup, Markup } from './markup.ts';

/** What stands around the drawn marks. */
export interface SvgFrame {
  /** Unique in the page. */
  id: string;
  title: string;
  description: string;
}

/** Draws a specification as one `<svg>` element with an accessible name; colours stay named (`var(--…)`). */
export async function renderSvg(spec: Spec, frame: SvgFrame): Promise<Markup> {
  const logger = collectWarnings();
  const compiled = compile(spec as unknown as TopLevelSpec, { logger }).spec;
  const view = new View(parse(compiled), { renderer: 'none', logger });
  try {
    return new Markup(named(await view.toSVG(), frame));
  } finally {
    view.finalize();
  }
}

/** A warning about a specification is our bug; nothing is written to the console. */
function collectWarnings(): LoggerInterface {
  const refuse = (...parts: readonly unknown[]): never => {
    throw new AnswerlakeError(`a chart cannot be drawn: ${parts.map(String).join(' ')}`, { class: 'bug' });
  };
  const logger: LoggerInterface = {
    level: ((value?: number) => (value === undefined ? Warn : logger)) as LoggerInterface['level'],
    error: refuse,
    warn: refuse,
    info: () => logger,
    debug: () => logger,
  };
  return logger;
}

function named(svg: string, { id, title, description }: SvgFrame): string {
  const [, width = '0', height = '0'] = /^<svg[^>]* width="([\d.]+)" height="([\d.]+)"/.exec(svg) ?? [];
  const inside = svg
    .replace(/^<svg[^>]*>/, '')
    .replace(/<\/svg>$/, '')
    .replaceAll(/<[a-z]+ [^>]*>/g, (tag) => plainTag(tag));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`,
    ` aria-label="${escapeMarkup(`${title}. ${description}`)}">`,
    `<title id="${id}-title">${escapeMarkup(title)}</title><desc id="${id}-desc">${escapeMarkup(description)}</desc>`,
    inside,
    '</svg>',
  ].join('');
}

/** Drops what a picture needs not say and turns labels of marks into texts shown on pointing, with or without JavaScript. */
function plainTag(tag: string): string {
  const label = / aria-label="([^"]*)"/.exec(tag)?.[1];
  const plain = tag.replaceAll(
    / (?:role|class|aria-[a-z]+|font-family|pointer-events|stroke-miterlimit)="[^"]*"/g,
    '',
  );
  if (label === undefined || label === '' || !tag.startsWith('<path') || !plain.endsWith('/>')) return plain;
  return `${plain.slice(0, -2)} class="tip"><title>${label}</title></path>`;
}
