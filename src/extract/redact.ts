import type { Secret } from '../config.ts';

const REPLACEMENT = '[redacted]';
/** Shorter texts are no secrets, and replacing them would shred ordinary words. */
const SHORTEST_SECRET = 4;

/** Replaces every secret in `text`: plain, URL-encoded, JSON-escaped and base64, alone or inside a longer base64 text. */
export function redact(text: string, secrets: readonly (Secret | string)[]): string {
  let clean = text;
  for (const secret of secrets) {
    for (const form of secretForms(typeof secret === 'string' ? secret : secret.reveal())) {
      if (clean.includes(form)) clean = clean.replaceAll(form, REPLACEMENT);
    }
  }
  return clean;
}

/** The texts that give `secret` away, longest first. */
export function secretForms(secret: string): readonly string[] {
  if (secret.length < SHORTEST_SECRET) return [];
  const encoded = encodeURIComponent(secret);
  const forms = [
    secret,
    encoded,
    encoded.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()),
    JSON.stringify(secret).slice(1, -1),
    ...base64Forms(secret),
  ];
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/** Base64 of the secret alone and of its inner characters at each of the three positions it can have in a longer text. */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const forms = [bytes.toString('base64'), bytes.toString('base64url')];
  for (const shift of [0, 1, 2]) {
    const first = shift === 0 ? 0 : 4;
    const wholeCharacters = Math.floor(((bytes.length + shift) * 8) / 6);
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
    forms.push(shifted.toString('base64').slice(first, wholeCharacters));
    forms.push(shifted.toString('base64url').slice(first, wholeCharacters));
  }
  return forms.filter((form) => form.length >= SHORTEST_SECRET);
}
