import { expect, it } from 'vitest';
import { openGate } from '../../src/extract/gate.ts';

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

it('the gate halves once for all that were under way together, and grows back by one after ten successes', async () => {
  const gate = openGate(8);
  const attempt = (outcome: 'succeeded' | 'overloaded'): Promise<void> =>
    gate.hold(async (place) => {
      await place.ready();
      await new Promise(setImmediate);
      place[outcome]();
    });
  await Promise.all(times(8).map(() => attempt('overloaded')));
  expect(gate.concurrency).toBe(4);
  for (const _ of times(5)) await attempt('overloaded');
  expect(gate.concurrency).toBe(1);
  for (const _ of times(10)) await attempt('succeeded');
  expect(gate.concurrency).toBe(2);
  for (const _ of times(200)) await attempt('succeeded');
  expect(gate.concurrency).toBe(8);
});

it('the gate lets a guest who gave way in again before anybody new', async () => {
  const gate = openGate(2);
  const entered: string[] = [];
  const guest = (name: string, isOverloaded: boolean): Promise<void> =>
    gate.hold(async (place) => {
      await place.ready();
      entered.push(name);
      await new Promise(setImmediate);
      if (!isOverloaded) return;
      place.overloaded();
      await place.ready();
      entered.push(`${name} again`);
    });
  await Promise.all([guest('first', true), guest('second', true), guest('third', false)]);
  expect(entered).toEqual(['first', 'second', 'second again', 'first again', 'third']);
});

it('a guest who waits aside lends the place, and is let in again before anybody new', async () => {
  const gate = openGate(1);
  const entered: string[] = [];
  let tell: (said: string) => void = () => undefined;
  const told = new Promise<string>((resolve) => {
    tell = resolve;
  });
  const waits = gate.hold(async (place) => {
    entered.push('first');
    entered.push(await place.aside(told));
  });
  const guest = (name: string): Promise<void> =>
    gate.hold(async () => {
      entered.push(name);
      await new Promise(setImmediate);
      if (name === 'second') tell('first again');
      await new Promise(setImmediate);
    });
  await Promise.all([waits, guest('second'), guest('third')]);
  expect(entered).toEqual(['first', 'second', 'first again', 'third']);
});

it('what a guest waited aside for may fail: the place is held again', async () => {
  const gate = openGate(1);
  const failed = gate.hold((place) => place.aside(Promise.reject(new Error('no answer'))));
  await expect(failed).rejects.toThrow('no answer');
  expect(await gate.hold(() => Promise.resolve('next'))).toBe('next');
});

it('a released place is given away once, and taken again for the next attempt', async () => {
  const gate = openGate(1);
  const entered: string[] = [];
  const guest = (name: string): Promise<void> =>
    gate.hold(async (place) => {
      await place.ready();
      entered.push(name);
      place.release();
      place.release();
      await new Promise(setImmediate);
      await place.ready();
      entered.push(`${name} again`);
      await new Promise(setImmediate);
    });
  await Promise.all(['first', 'second', 'third'].map(guest));
  expect(entered).toEqual(['first', 'second', 'third', 'first again', 'second again', 'third again']);
});
