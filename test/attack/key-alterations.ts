import type { Alteration } from './alteration.ts';
import { skewedClock } from './clock-alterations.ts';
import type { Dice } from './dice.ts';

type Fields = Record<string, unknown>;

function changed(name: string, change: (body: Fields, dice: Dice) => Fields | undefined): Alteration {
  return {
    name: `key: ${name}`,
    belief: 'refused',
    alter: ({ body }, dice) => {
      if (typeof body !== 'object' || body === null) return undefined;
      const fields = change(body as Fields, dice);
      return fields === undefined ? undefined : { body: { ...body, ...fields } };
    },
  };
}

function projectsOf({ availableProjects }: Fields): Fields[] {
  return Array.isArray(availableProjects) ? (availableProjects as Fields[]) : [];
}

/** What the answer that names a key's projects may say instead. */
export const keyAlterations: readonly Alteration[] = [
  skewedClock,
  skewedClock,
  changed('a project less', (body, dice) => {
    const lost = dice.below(projectsOf(body).length);
    return { availableProjects: projectsOf(body).filter((_, index) => index !== lost) };
  }),
  changed('a project twice', (body, dice) => ({
    availableProjects: [...projectsOf(body), dice.pick(projectsOf(body))],
  })),
  changed('a project of somebody else', (body) => ({
    availableProjects: [...projectsOf(body), { id: 'stranger', name: 'Stranger', slug: 'stranger' }],
  })),
  changed('a project with another id', (body, dice) => {
    const other = dice.below(projectsOf(body).length);
    return {
      availableProjects: projectsOf(body).map((one, index) =>
        index === other ? { ...one, id: `${String(one['id'])}0` } : one,
      ),
    };
  }),
  changed('no projects', (_, dice) => ({
    availableProjects: dice.pick([null, [], {}, 'all', [null], [{}]]),
  })),
  changed('another spelling of its type', (_, dice) => ({
    keyType: dice.pick(['ORGANIZATION', 'Organization', 'team', '']),
  })),
  changed('no type', (_, dice) => ({ keyType: dice.pick([null, 1, undefined]) })),
  changed('another word for valid', (_, dice) => ({ valid: dice.pick([false, 'true', 1, null, undefined]) })),
  changed('another organization', (_, dice) => ({
    organization: dice.pick([null, { id: 'other', name: 'Other', slug: 'other' }, {}, 'other']),
  })),
];

/** What the answer that is to prove a project may say instead. */
export const projectKeyAlterations: readonly Alteration[] = [
  changed('another project answers', () => ({
    project: { id: 'stranger', name: 'Stranger', slug: 'stranger' },
  })),
  changed('no project answers', (_, dice) => ({ project: dice.pick([null, undefined, {}, 'yes']) })),
  changed('not valid for the project', (_, dice) => ({ valid: dice.pick([false, 'true', null]) })),
  changed('no type for the project', () => ({ keyType: null })),
  skewedClock,
];
