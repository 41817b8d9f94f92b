// What moves a terminal, and the marks that turn the text around them.
const CONTROL = /(?![\n\t])[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;

/** Text that a terminal only shows: control characters as JSON writes them (`\u001b`), line breaks and tabs as they are. */
export function visibleText(text: string): string {
  return text.replaceAll(
    CONTROL,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
