import { parse, View, Warn, type LoggerInterface } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { AnswerlakeError } from '../errors.ts';
import type { Spec } from './chart.ts';
import { Markup, markup } from './markup.ts';

/** What stands around the drawn marks. */
export interface SvgFrame {
  /** Unique in the page. */
  id: string;
  title: string;
  description: string;
}

/** Marks without their `<svg>` element; colours stay named (`var(--…)`). */
export interface Drawing {
  width: number;
  height: number;
  marks: Markup;
}

/** @throws AnswerlakeError 'bug' when the specification is wrong */
export async function drawMarks(spec: Spec): Promise<Drawing> {
  const compiled = compile(spec as unknown as TopLevelSpec, { logger }).spec;
  const view = new View(parse(compiled), { renderer: 'none', logger });
  try {
    const svg = await view.toSVG();
    const [, width, height] = /^<svg[^>]* width="([\d.]+)" height="([\d.]+)"/.exec(svg) ?? [];
    const marks = svg
      .replace(/^<svg[^>]*>/, '')
      .replace(/<\/svg>$/, '')
      .replaceAll(/<[a-z]+ [^>]*>/g, (tag) => plainTag(tag));
    return { width: Number(width), height: Number(height), marks: new Markup(marks) };
  } finally {
    view.finalize();
  }
}

/** A drawing as one `<svg>` element with an accessible name. */
export function svgElement({ width, height, marks }: Drawing, frame: SvgFrame): Markup {
  const { id, title, description } = frame;
  return markup`<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" aria-label="${title}. ${description}"><title id="${id}-title">${title}</title><desc id="${id}-desc">${description}</desc>${marks}</svg>`;
}

// A warning about a specification is our bug, and nothing is written to the console.
const refuse = (...parts: readonly unknown[]): never => {
  throw new AnswerlakeError(`a chart cannot be drawn: ${parts.map(String).join(' ')}`, { class: 'bug' });
};

function level(): number;
function level(value: number): LoggerInterface;
function level(value?: number): number | LoggerInterface {
  return value === undefined ? Warn : logger;
}

const logger: LoggerInterface = {
  level,
  error: refuse,
  warn: refuse,
  info: () => logger,
  debug: () => logger,
};

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
