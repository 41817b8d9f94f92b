import { expect, it } from 'vitest';
import { projectLabels } from '../../src/project-names.ts';
import { findProject } from '../../src/publish/find-project.ts';

const project = (id: string, name: string, rest: { slug?: string; is_listed?: boolean } = {}) => ({
  project_id: id,
  project_name: name,
  slug: null,
  is_listed: true,
  ...rest,
});
const KNOWN = [
  project('p1', 'Café', { slug: 'coffee' }),
  project('p2', 'p1', { slug: 'other' }),
  project('p3', 'Twin'),
  project('p4', 'Twin'),
  project('p5', 'Left', { is_listed: false }),
  project('p6', 'Again', { is_listed: false }),
  project('p7', 'Again'),
];

it.each([
  ['an id, which outranks a name', 'p1', 'p1'],
  ['a name in another case and Unicode form', 'cafe\u0301', 'p1'],
  ['a slug', 'COFFEE', 'p1'],
  ['the name of one that no key lists any more', 'Left', 'p5'],
  ['a name that one was made under again', 'Again', 'p7'],
])('a project is found by %s', (_, called, id) => {
  expect(findProject(KNOWN, called).project_id).toBe(id);
});

it.each([
  ['Twin', 'More than one project is called "Twin". Name the id of one of them:\n  p3  Twin\n  p4  Twin'],
  ['Nike', 'The published file has no project "Nike". It has:\n  p1  Café'],
])('a project called %s is refused, with those that may be meant', (called, message) => {
  expect(() => findProject(KNOWN, called)).toThrow(message);
});

it('projects with the same name are shown with their slug, or with their id where that is the same too', () => {
  const labels = projectLabels([
    { id: 'p1', name: 'Acme', slug: 'acme-de' },
    { id: 'p2', name: 'ACME', slug: 'acme-fr' },
    { id: 'p2', name: 'ACME', slug: 'acme-fr' },
    { id: 'p3', name: 'Twin', slug: 'twin' },
    { id: 'p4', name: 'Twin', slug: 'twin' },
    { id: 'p5', name: 'Bolt', slug: 'acme-de' },
    { id: 'p6', name: '' },
    { id: 'p7', name: 'Twin' },
  ]);
  const twice = ['Acme (acme-de)', 'ACME (acme-fr)', 'Twin (p3)', 'Twin (p4)'];
  expect([...labels.values()]).toEqual([...twice, 'Bolt', 'Twin (p7)']);
});
