import { readdirSync } from 'node:fs';
import type { Fixture } from './fixture.ts';

const FOLDER = new URL('../fixtures/', import.meta.url);

/** The fixture of each endpoint by name; each is a file in `test/fixtures`. */
export const fixtures: ReadonlyMap<string, Fixture> = new Map(
  await Promise.all(
    readdirSync(FOLDER).map(async (file) => {
      const { fixture } = (await import(new URL(file, FOLDER).href)) as { fixture: Fixture };
      return [file.replace('.ts', '').replaceAll('-', '_'), fixture] as const;
    }),
  ),
);

/** The documented body of each endpoint. */
export const documentedBodies: Readonly<Record<string, unknown>> = Object.fromEntries(
  [...fixtures].map(([name, { body }]) => [name, body]),
);
