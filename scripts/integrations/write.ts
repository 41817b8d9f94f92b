import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readTexts } from '../../src/config/yaml.ts';
import { readExamples } from '../../src/guide/examples.ts';
import { PACKAGE_ROOT, STARTERS_FOLDER } from '../../src/files.ts';
import type { Connection } from '../../src/warehouse/connection.ts';
import { readCatalogue, type Relation } from './catalogue.ts';
import { dataDictionary } from './data-dictionary.ts';
import { dbtSources } from './dbt-sources.ts';
import { grafanaDashboard } from './grafana.ts';
import { metabaseCards } from './metabase.ts';
import { operationsDashboard } from './operations.ts';
import { dbtModels, metricFlow, ossieDocument } from './semantic.ts';
import { supersetBundle } from './superset.ts';
import { warehouseScripts } from './warehouses.ts';

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
const within = (folder: string, texts: Map<string, string>, ending = ''): [string, string][] =>
  [...texts].map(([name, text]) => [`${folder}/${name}${ending}`, text]);

/** What follows from views, examples and metrics, by the path below `dist/starters`. */
function generatedFiles(catalogue: readonly Relation[]): [path: string, text: string][] {
  const page = readFileSync(join(PACKAGE_ROOT, 'docs', 'views.md'), 'utf8');
  return [
    ['dbt/models/semantic.yml', metricFlow(catalogue)],
    ['dbt/models/sources.yml', dbtSources(catalogue)],
    ...within('dbt/models', dbtModels(catalogue), '.sql'),
    ['dictionary/data-dictionary.md', dataDictionary(page, catalogue)],
    ['grafana/answerlake.json', json(grafanaDashboard())],
    ['grafana/operations.json', json(operationsDashboard(readTexts('metrics.yaml')))],
    ['metabase/questions.json', json(metabaseCards(readExamples()))],
    ['ossie/answerlake.json', json(ossieDocument(catalogue, 'answers'))],
    ...within('superset', supersetBundle(catalogue)),
    ...within('warehouses', warehouseScripts(catalogue), '.sql'),
  ];
}

/** Writes `dist/starters`, a folder for each starter: the hand-written files of `integrations` and those that are generated. @param connection to a database with every table and view */
export async function writeStarters(connection: Connection): Promise<void> {
  const files = generatedFiles(await readCatalogue(connection));
  rmSync(STARTERS_FOLDER, { recursive: true, force: true });
  cpSync(join(PACKAGE_ROOT, 'integrations'), STARTERS_FOLDER, { recursive: true });
  for (const [path, text] of files) {
    const target = join(STARTERS_FOLDER, path);
    mkdirSync(dirname(target), { recursive: true });
    // No generated file takes the place of one that is written by hand.
    writeFileSync(target, text, { flag: 'wx' });
  }
}
