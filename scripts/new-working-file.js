// Makes the file that new warehouses are copies of: every table and every view, and no row.

import { rmSync } from 'node:fs';
import { openCatalogue } from '../dist/src/endpoints/catalogue.js';
import { createViews } from '../dist/src/publish/published-file.js';
import { openDatabase } from '../dist/src/warehouse/database.js';
import { upgrade } from '../dist/src/warehouse/migrate.js';
import { NEW_WORKING_FILE, WORKING_STORAGE_VERSION } from '../dist/src/warehouse/working-file.js';

rmSync(NEW_WORKING_FILE, { force: true });
const settings = { storage_compatibility_version: WORKING_STORAGE_VERSION };
const database = await openDatabase({ path: NEW_WORKING_FILE, settings });
const connection = await database.connect();
await upgrade(connection, { tables: openCatalogue().tables, now: 0 });
await createViews(connection);
database.close();
