import { openCatalogue } from '../../src/endpoints/catalogue.ts';

/** The built-in endpoints. */
export const CATALOGUE = openCatalogue();
export const { asked: catalogue, named: endpointNamed, keys: coreKeys } = CATALOGUE;
