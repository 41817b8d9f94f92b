import { createHash } from 'node:crypto';

/** Mixes two integers into an unsigned 32-bit one; the same arguments always return the same result. */
export function mix(a: number, b: number): number {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul((b + 0x7f4a7c15) | 0, 0xc2b2ae35);
  h ^= h >>> 16;
  h = Math.imul(h, 0x21f0aaad);
  h ^= h >>> 15;
  h = Math.imul(h, 0x735a2d97);
  h ^= h >>> 15;
  return h >>> 0;
}

/** Uniform in [0, 1), derived from the two integers. */
export function unit(a: number, b: number): number {
  return mix(a, b) / 4_294_967_296;
}

/** An unsigned 32-bit hash of a text. */
export function hashText(text: string): number {
  let h = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) h = Math.imul(h ^ text.charCodeAt(index), 0x01000193);
  return mix(h, text.length);
}

/** A version-4 UUID derived from a text. */
export function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) % 4);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-');
}

/** The element that `share` in [0, 1) points at. */
export function pick<T>(from: readonly [T, ...T[]], share: number): T {
  return from[Math.floor(share * from.length)] ?? from[0];
}
