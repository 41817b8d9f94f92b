#!/usr/bin/env node
// Puts the questions into a new collection of a Metabase: MB_URL, MB_API_KEY and MB_DATABASE_ID say where.
import { readFile } from 'node:fs/promises';

const { MB_URL: url, MB_API_KEY: key, MB_DATABASE_ID: database } = process.env;
if (!url || !key || !database) {
  console.error(
    'Set MB_URL, MB_API_KEY and MB_DATABASE_ID (the number in the address of the database in Metabase).',
  );
  process.exit(2);
}

async function post(path, body) {
  const response = await fetch(new URL(path, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify(body),
    redirect: 'error',
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return await response.json();
}

const cards = JSON.parse(await readFile(new URL('questions.json', import.meta.url), 'utf8'));
const collection = await post('/api/collection', {
  name: 'answerlake',
  description: 'Questions about AI answers',
});
for (const card of cards) {
  const query = { ...card.dataset_query, database: Number(database) };
  await post('/api/card', { ...card, dataset_query: query, collection_id: collection.id });
}
console.log(`${cards.length} questions in collection ${collection.id}`);
