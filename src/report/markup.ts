/** Markup that needs no further escaping. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

export type Child = Markup | string | number | readonly Child[];

/** Text as it may stand between tags and inside double quotes. */
export function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** Template of markup: every value is escaped unless it is markup itself. */
export function markup(parts: TemplateStringsArray, ...values: readonly Child[]): Markup {
  return new Markup(
    parts.map((part, index) => part + (index < values.length ? childText(values[index]) : '')).join(''),
  );
}

function childText(child: Child | undefined): string {
  if (child === undefined) return '';
  if (child instanceof Markup) return child.text;
  return Array.isArray(child)
    ? child.map((one: Child) => childText(one)).join('')
    : escapeMarkup(String(child));
}
