/** One part of an answer that is loaded or refused on its own. */
export interface Item {
  /** Its place in the body, e.g. `series[3].data[12]`. */
  readonly path: string;
  readonly value: unknown;
  /** Set when the item cannot be read; `value` is then what was refused. */
  readonly problem?: string;
  /** Days that an unreadable item is about, where it is about many. */
  readonly days?: readonly unknown[];
}

/** An item of a list: `prompts[3]`. Its path is made a text only where somebody asks for it. */
export class ListItem implements Item {
  readonly value: unknown;
  readonly #list: string;
  readonly #index: number;

  constructor(list: string, index: number, value: unknown) {
    this.#list = list;
    this.#index = index;
    this.value = value;
  }

  get path(): string {
    return `${this.#list}[${String(this.#index)}]`;
  }
}

/** Items of a plain list: `[3]` or `prompts[3]`. */
export function* listItems(list: readonly unknown[], name = ''): Generator<Item> {
  for (let index = 0; index < list.length; index += 1) yield new ListItem(name, index, list[index]);
}

/** The whole body as the only item. */
export function wholeBody(body: unknown): readonly Item[] {
  return [{ path: '', value: body }];
}
