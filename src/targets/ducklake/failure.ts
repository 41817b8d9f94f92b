import { AnswerlakeError, messageOf } from '../../errors.ts';
import { storageProblem, WarehouseError } from '../../warehouse/failure.ts';
import { catalogName, type LakeSettings } from './lake-settings.ts';

/** What people can do about a failure; the first match wins. Texts of DuckDB 1.5.5 and its extensions. */
const REMEDIES: readonly (readonly [RegExp, (settings: LakeSettings) => string])[] = [
  [
    /does not match existing data path/i,
    ({ data }) =>
      `is not the lake of this warehouse with files in warehouse.data (${data}): another warehouse writes it, its folder was moved, or the working file that wrote it is lost. Configure another warehouse.catalog, or move this catalog away for good, and the next publish writes a new lake`,
  ],
  [
    /explicitly disabled/i,
    () => 'is there and holds no lake: move it away, or configure another warehouse.catalog',
  ],
  [
    /catalog version mismatch/i,
    () =>
      'was written with another version of DuckLake: where that is newer, update answerlake and its extensions; where it is older, move this catalog away, and the next publish writes a new lake',
  ],
  [
    /connect to Postgres|connection to server|server closed the connection/i,
    () =>
      'cannot be reached in PostgreSQL: see that the server is up and the address is right, and publish again',
  ],
  [
    /HTTP (?:Error|\d)|s3:\/\/|resolve hostname/i,
    ({ data }) =>
      `has its files in ${data}, which cannot be used: see that the bucket is there and the key may write`,
  ],
  [
    /failed to create directory|cannot open file .*(?:permission denied|read-only)/i,
    ({ data }) =>
      `has its files in ${data}, where nothing can be written: see that warehouse.data is a folder and belongs to the user of answerlake`,
  ],
  [
    /cannot open file .*\.parquet.*no such file/i,
    ({ data }) =>
      `misses files in ${data}: bring them back, or move this catalog away, and the next publish writes a new lake`,
  ],
];

/** What went wrong with a lake, without the address of its catalog. The lake is as it was. */
export function explainLakeFailure(error: unknown, settings: LakeSettings): unknown {
  if (error instanceof AnswerlakeError && !(error instanceof WarehouseError)) return error;
  const said = messageOf(error instanceof WarehouseError ? (error.cause ?? error) : error);
  const { catalog } = settings;
  const safe = typeof catalog === 'string' ? said : said.replaceAll(catalog.reveal(), catalog.origin);
  const short = safe.split('\n').slice(0, 2).join(' ').slice(0, 400);
  const remedy = REMEDIES.find(([sign]) => sign.test(said))?.[1];
  const problem = storageProblem(error) ?? 'unreadable';
  const what =
    remedy?.(settings) ??
    `could not be brought up to date, and is as it was; its files are in ${settings.data} (${problem})`;
  const path = catalogName(settings);
  // No cause: it may hold the address with its password.
  return new WarehouseError(`${what}. DuckDB says: ${short}`, {
    problem: remedy === undefined ? problem : 'unreadable',
    path,
  });
}
