/** Where a value stands in a body, so that it can be replaced. */
export interface Place {
  holder: Record<string, unknown> | unknown[];
  name: string | number;
  value: unknown;
  /** The names of the objects around it, without indexes. */
  trail: string;
}

/** Every value inside a body, lists and objects too. */
export function placesOf(body: unknown, trail = ''): Place[] {
  if (Array.isArray(body)) {
    const list: unknown[] = body;
    return list.flatMap((value, index) => [
      { holder: list, name: index, value, trail: `${trail}[]` },
      ...placesOf(value, `${trail}[]`),
    ]);
  }
  if (typeof body !== 'object' || body === null) return [];
  const holder = body as Record<string, unknown>;
  return Object.keys(holder).flatMap((name) => [
    { holder, name, value: holder[name], trail: `${trail}.${name}` },
    ...placesOf(holder[name], `${trail}.${name}`),
  ]);
}

export function put({ holder, name }: Place, value: unknown): void {
  // A plain assignment to `__proto__` would change the prototype.
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
}

/** All lists of a body that have entries, the body itself among them. */
export function listsOf(body: unknown): { list: unknown[]; trail: string }[] {
  const inner = placesOf(body).map(({ value, trail }) => ({ list: value, trail }));
  return [{ list: body, trail: '' }, ...inner].flatMap(({ list, trail }) =>
    Array.isArray(list) && list.length > 0 ? [{ list: list as unknown[], trail }] : [],
  );
}

/** The list with the most entries, however deep. */
export function longestList(body: unknown): { list: unknown[]; trail: string } | undefined {
  return listsOf(body).toSorted((a, b) => b.list.length - a.list.length)[0];
}
