import { expect, it } from 'vitest';
import { openWorld } from '../views/world.ts';
import { readCatalogue, columnFacts } from '../../scripts/integrations/catalogue.ts';
import { dataDictionary } from '../../scripts/integrations/data-dictionary.ts';
import { VIEW_KEYS } from '../../scripts/integrations/view-keys.ts';

it('the data dictionary is what the catalogue says', async () => {
  await using world = await openWorld();
  const { connection } = world;
  const text = dataDictionary(await readCatalogue(connection));
  await expect(text).toMatchFileSnapshot('../../docs/data-dictionary.md');
});

it('the data dictionary gives every view a key of columns that it has', async () => {
  await using world = await openWorld();
  const { connection } = world;
  const views = (await readCatalogue(connection)).filter(({ schema }) => schema === 'main');
  expect(views.map(({ name }) => name).toSorted()).toEqual(Object.keys(VIEW_KEYS).toSorted());
  for (const { name, key, columns } of views) {
    expect({
      name,
      unknown: key.filter((part) => !columns.some((column) => column.name === part)),
    }).toEqual({ name, unknown: [] });
  }
});

it('the data dictionary says of every measure of a view whether it adds up', async () => {
  await using world = await openWorld();
  const { connection } = world;
  const silent = (await readCatalogue(connection))
    .filter(({ schema, name }) => schema === 'main' && !name.startsWith('sync_'))
    .flatMap(({ name, columns }) =>
      columns
        .filter((column) => /_(pct|points|visits|requests|mentions|citations_count)$/.test(column.name))
        .filter((column) => columnFacts(column).additivity === '')
        .map((column) => `${name}.${column.name}`),
    );
  expect(silent).toEqual(['action_impact.share_of_voice_change_points']);
});
