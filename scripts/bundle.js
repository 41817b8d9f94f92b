// Makes the compiled program one of few files, because it then starts in two thirds of the processor time.

import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';

/** Packages that stay packages: with native code or files beside their code, or that few commands load. */
const LEFT_OUT = [
  /^@clack\/prompts$/,
  /^@duckdb\/node-bindings/,
  /^@resvg\/resvg-js$/,
  /^fast-(?:string-width|wrap-ansi)$/,
  /^pg$/,
  /^pg-boss$/,
  /^pg-native$/,
  /^pino$/,
  /^prom-client$/,
];

const ENTRIES = ['src/cli/main', 'src/daemon/serve/report-process'];

/** Licences ask to go along with each copy.
 *  @type {import('rolldown').Plugin} */
const licences = {
  name: 'licences',
  generateBundle(_, files) {
    const folders = Object.values(files).flatMap((file) =>
      file.type === 'chunk' ? file.moduleIds.flatMap(packageFolder) : [],
    );
    const texts = [...new Set(folders)].toSorted().map((folder) => licenceOf(folder));
    this.emitFile({ type: 'asset', fileName: 'chunks/LICENSES.txt', source: texts.join('\n') });
  },
};

function packageFolder(moduleId) {
  const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(moduleId.replaceAll('\\', '/')) ?? [];
  return folder === undefined ? [] : [folder];
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8');
  return `${name} ${version}, ${license}\n\n${text}\n`;
}

await build({
  input: Object.fromEntries(ENTRIES.map((name) => [name, `${name}.ts`])),
  platform: 'node',
  logLevel: 'warn',
  transform: { target: 'node20.19' },
  external: LEFT_OUT,
  plugins: [licences],
  output: {
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
  },
});
// npm sets it only when it links, and a rebuild writes a new file.
chmodSync('dist/src/cli/main.js', 0o755);

await build({
  input: 'src/report/page-script.js',
  platform: 'browser',
  logLevel: 'warn',
  transform: { target: 'es2022' },
  output: { file: 'dist/src/report/page-script.js', format: 'iife', minify: true },
});
