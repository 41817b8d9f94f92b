import { visibleText } from './visible-text.ts';

const COLORS: Readonly<Record<string, number>> = { debug: 2, info: 36, warn: 33, error: 31 };

/** One JSON log line as a line for people: time, level, event, fields; the stack only when debugging. */
export function formatLogLine(line: string, color: boolean): string {
  const parsed: Record<string, unknown> = JSON.parse(line);
  const { level, time, event, ...fields } = parsed;
  const name = asText(level);
  const label = name.padEnd(5);
  const shownLabel = color ? `\u001B[${COLORS[name] ?? 0}m${label}\u001B[0m` : label;
  const shownFields = Object.entries(fields).map(([key, value]) => `${key}=${fieldText(value)}`);
  const start = `${asText(time).slice(11, 19)} ${shownLabel} ${asText(event)}`;
  return `${[start, ...shownFields].join(' ')}\n`;
}

function fieldText(value: unknown): string {
  if (isErrorFields(value)) return jsonText(value.message);
  const text = typeof value === 'string' ? value : jsonText(value);
  return /^[\x21-\x7e]*$/.test(text) && !text.includes('"') ? text : jsonText(value);
}

function jsonText(value: unknown): string {
  return visibleText(JSON.stringify(value));
}

function isErrorFields(value: unknown): value is { message: string } {
  return typeof value === 'object' && value !== null && 'message' in value && 'stack' in value;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
