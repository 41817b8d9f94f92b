import { openCatalogue } from '../../src/endpoints/catalogue.ts';

/** The tables that every working file has. */
export const { tables } = openCatalogue();
