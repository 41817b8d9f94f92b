import { openCatalogue } from '../../src/endpoints/catalogue.ts';

/** The built-in endpoints. */
export const CATALOGUE = openCatalogue();
export const { asked: catalogue, named: endpointNamed } = CATALOGUE;
export const coreKeys = new Map(CATALOGUE.tables.map(({ name, key }) => [name, key]));
