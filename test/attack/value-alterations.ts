import type { Alteration, Altered, Exchange } from './alteration.ts';
import type { Dice } from './dice.ts';
import { placesOf, put, type Place } from './json-places.ts';

type Kind = Alteration['belief'];

/** Replaces some of the values that `fits` chooses. */
function replacing(
  name: string,
  belief: Kind,
  how: { fits: (place: Place, exchange: Exchange) => boolean; value: (place: Place, dice: Dice) => unknown },
): Alteration {
  return {
    name,
    belief,
    alter: (exchange, dice) => {
      const { body } = exchange;
      const fitting = placesOf(body).filter((place) => how.fits(place, exchange));
      if (fitting.length === 0) return undefined;
      for (const place of dice.pickSome(fitting, 1 + dice.below(3))) put(place, how.value(place, dice));
      return { body };
    },
  };
}

const isNumber = ({ value }: Place): boolean => typeof value === 'number';
const isText = ({ value }: Place): boolean => typeof value === 'string';
const isDay = ({ value }: Place): boolean => typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value);
const isPlain = ({ value }: Place): boolean => typeof value !== 'object' || value === null;
const isHolder = (place: Place): boolean => !isPlain(place);
/** Missing texts that become part of a key make another row. */
const isKey = ({ trail }: Place, { path }: Exchange): boolean =>
  path.endsWith('competitor-heatmap') && trail.endsWith('.domain');

const NO_NUMBERS = ['NaN', 'Infinity', '-', '', '1e5', '0x10', '١٢', 'null'];
const NO_DAYS = ['2026-02-30', '0000-00-00', '+275760-09-13', '2026-13-01', 'yesterday', '14.07.2026', ''];
const ODD_TEXTS = [
  '__proto__',
  'constructor',
  '10',
  ' ',
  '',
  'a\u0000b',
  '\u2028\u2029',
  '\ud800',
  '\u202e\u001b[31mred',
  "'; drop table core.visibility; --",
  '=cmd|"/c calc"!A1',
  '$1',
  'é'.repeat(300),
  '👩‍👩‍👧‍👦',
  'NULL',
];
const ODD_NUMBERS = [-1, 0, 1e300, 5e-324, -0, 2 ** 31, 2 ** 53 + 2, 0.1 + 0.2, 1e15, 100.5];
/** Where unknown values belong to the documents' closed lists. */
const LISTED_VALUE = /\.(type|status|intent|relation|sentiment|keyType|permission)$/;

export const valueAlterations: readonly Alteration[] = [
  replacing('a number as text', 'refused', { fits: isNumber, value: ({ value }) => String(value) }),
  replacing('no number', 'refused', { fits: isNumber, value: (_, dice) => dice.pick(NO_NUMBERS) }),
  replacing('a text as a number', 'refused', { fits: isText, value: (_, dice) => dice.below(100) }),
  replacing('a list in the place of a value', 'refused', { fits: isPlain, value: ({ value }) => [value] }),
  replacing('an object in the place of a value', 'refused', {
    fits: isPlain,
    value: (p) => ({ value: p.value }),
  }),
  replacing('a text in the place of a list or object', 'refused', { fits: isHolder, value: () => 'none' }),
  replacing('an impossible day', 'refused', { fits: isDay, value: (_, dice) => dice.pick(NO_DAYS) }),
  replacing('a day of another year', 'refused', {
    fits: (place, { path }) => isDay(place) && /date/.test(place.trail) && /trend$|time/.test(path),
    value: ({ value }, dice) => String(value).replace(/^\d{4}/, dice.pick(['1970', '2025', '2027', '9999'])),
  }),
  replacing('an unknown kind of event', 'refused', {
    fits: ({ trail }, { path }) => path.endsWith('/events') && trail.endsWith('items[].type'),
    value: () => 'prompts_renamed',
  }),
  replacing('unknown fields', 'refused', {
    fits: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
    value: ({ value }, dice) => ({
      ...(value as object),
      [dice.pick(['extra', 'id2', 'Date'])]: { deep: [1, null] },
    }),
  }),
  replacing('nothing in the place of a value', 'nulled', {
    fits: (place, exchange) => isPlain(place) && !isKey(place, exchange),
    value: () => null,
  }),
  {
    name: 'a field left out',
    belief: 'nulled',
    alter: (exchange, dice) => {
      const fitting = placesOf(exchange.body).filter(
        (place) => !Array.isArray(place.holder) && isPlain(place) && !isKey(place, exchange),
      );
      if (fitting.length === 0) return undefined;
      const { holder, name } = dice.pick(fitting);
      Reflect.deleteProperty(holder, name);
      return { body: exchange.body };
    },
  },
  replacing('another number', 'believed', {
    fits: isNumber,
    value: ({ value }, dice) => Number(value) + 1 + dice.below(5),
  }),
  replacing('an odd number', 'believed', { fits: isNumber, value: (_, dice) => dice.pick(ODD_NUMBERS) }),
  replacing('an odd text', 'believed', {
    fits: (place) => isText(place) && !isDay(place),
    value: (_, dice) => dice.pick(ODD_TEXTS),
  }),
  replacing('another text', 'believed', {
    fits: (place) => isText(place) && !isDay(place),
    value: ({ value }) => `${String(value)}~`,
  }),
  replacing('an unknown value of a list', 'believed', {
    fits: (place) => isText(place) && LISTED_VALUE.test(place.trail),
    value: () => 'SOMETHING_NEW',
  }),
  replacing('nothing in the place of anything', 'believed', { fits: () => true, value: () => null }),
  replacing('another day of the window', 'believed', {
    fits: isDay,
    value: ({ value }, dice) => String(value).replace(/-\d\d(?=$|T)/, `-0${String(5 + dice.below(5))}`),
  }),
  ...['plain', 'escaped', 'in pieces'].map((form): Alteration => ({
    name: `the key in a text, ${form}`,
    belief: 'believed',
    alter: ({ body, key }, dice): Altered | undefined => {
      const texts = placesOf(body).filter((place) => isText(place) && !isDay(place));
      if (texts.length === 0 || key === '') return undefined;
      put(dice.pick(texts), 'says KEY-GOES-HERE here');
      const escaped = {
        plain: key,
        escaped: key.replaceAll(/./g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
        'in pieces': key.replaceAll('/', '\\/').replace('s', '\\u0073'),
      };
      const told = escaped[form as keyof typeof escaped];
      return { body, text: (json) => json.replace('KEY-GOES-HERE', told) };
    },
  })),
];
