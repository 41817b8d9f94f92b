import { readdirSync } from 'node:fs';
import type { Fixture } from './fixture.ts';

const FOLDER = new URL('../fixtures/', import.meta.url);

/** The fixture of each endpoint, by its name: a file in `test/fixtures` each. */
export const fixtures: ReadonlyMap<string, Fixture> = new Map(
  await Promise.all(
    readdirSync(FOLDER).map(async (file) => {
      const { fixture } = (await import(new URL(file, FOLDER).href)) as { fixture: Fixture };
      return [file.replace('.ts', '').replaceAll('-', '_'), fixture] as const;
    }),
  ),
);

/** A body of each endpoint as the documents show it. */
export const documentedBodies: Readonly<Record<string, unknown>> = Object.fromEntries(
  [...fixtures].map(([name, { body }]) => [name, body]),
);
