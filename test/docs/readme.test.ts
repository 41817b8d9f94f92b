import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { catalogue } from '../support/catalogue.ts';
import { readVersion } from '../../src/files.ts';

const page = readFileSync('README.md', 'utf8');
const OWN = 'test/docs/readme.test.ts';

it('README.md states the version and the licence of the package', () => {
  expect(page).toContain(`\nVersion ${readVersion()} · [MIT licence](LICENSE)`);
});

it('README.md names the API by the title of its documents, and the vendor', () => {
  expect(page).toMatch(
    /^# answerlake\n\n[^.]*AI Answer Visibility Monitoring API\*\* \(the interface of Promptwatch\)[^.]*, for analysts/,
  );
});

it('each of six figures of README.md stands in the place that it names', () => {
  const rows = [...page.matchAll(/^\| .* \| (.*\*\*.*) \| \[[^\]]+\]\(([^)]+)\) +\|$/gm)];
  expect(rows).toHaveLength(6);
  for (const [, measured = '', place = ''] of rows) {
    const figures = [...measured.matchAll(/\*\*(.*?)\*\*/g)].map(([, figure = '']) =>
      figure.replaceAll(/(?<=\d),(?=\d)/g, ''),
    );
    expect(figures.length).toBeGreaterThan(0);
    if (place === OWN) continue;
    const text = readFileSync(place, 'utf8');
    expect([place, figures.filter((figure) => !text.includes(figure))]).toEqual([place, []]);
  }
});

it('README.md states the right numbers of paths, tables and views', () => {
  const paths = new Set(catalogue.map(({ path }) => path));
  const schema = readFileSync('sql/schema.sql', 'utf8');
  const [tables, views] = [/^table core\./gm, /^view main\./gm].map((one) => schema.match(one)?.length);
  expect(page).toContain(`${String(paths.size)} paths, ${String(tables)} tables, ${String(views)} views`);
});

it('README.md says what each package is for that the program is built with', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const named = /\n## Built with\n\n([^]*?)\n\n/.exec(page)?.[1]?.match(/(?<=`)[@\w][^`]*(?=`)/g);
  expect(named?.toSorted()).toEqual(Object.keys(dependencies).toSorted());
});
