import { expect, it } from 'vitest';
import { findProject } from '../../src/publish/find-project.ts';

const project = (id: string, name: string, slug: string | null = null) => ({
  project_id: id,
  project_name: name,
  slug,
});
const KNOWN = [
  project('p1', 'Café', 'coffee'),
  project('p2', 'p1', 'other'),
  project('p3', 'Twin'),
  project('p4', 'Twin'),
];

it.each([
  ['an id, which outranks a name', 'p1', 'p1'],
  ['a name in another case and Unicode form', 'cafe\u0301', 'p1'],
  ['a slug', 'COFFEE', 'p1'],
])('a project is found by %s', (_, called, id) => {
  expect(findProject(KNOWN, called).project_id).toBe(id);
});

it.each([
  ['Twin', 'More than one project is called "Twin". Name the id of one of them:\n  p3  Twin\n  p4  Twin'],
  ['Nike', 'The published file has no project "Nike". It has:\n  p1  Café'],
])('a project called %s is refused, with those that may be meant', (called, message) => {
  expect(() => findProject(KNOWN, called)).toThrow(message);
});
