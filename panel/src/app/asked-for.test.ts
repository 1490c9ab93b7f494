import { expect, test } from 'vitest';
import { askedFor } from './asked-for.ts';

test('a verb and a noun with a name ask for an action', () => {
  expect(askedFor('end session of Ayşe')).toEqual({ on: 'session', text: 'Ayşe' });
  expect(askedFor("Ayşe'nin oturumunu sonlandır")).toEqual({ on: 'session', text: 'Ayşe' });
  expect(askedFor('print the vouchers for Lobby')).toEqual({ on: 'batch', text: 'Lobby' });
});

test('one of them with a name does too', () => {
  expect(askedFor('end ayşe')).toEqual({ on: 'session', text: 'ayşe' });
  expect(askedFor('ayşe bitir')).toEqual({ on: 'session', text: 'ayşe' });
  expect(askedFor('session ayşe')).toEqual({ on: 'session', text: 'ayşe' });
  expect(askedFor('Lobi kuponlarını')).toEqual({ on: 'batch', text: 'Lobi' });
  expect(askedFor('print lobby')).toEqual({ on: 'batch', text: 'lobby' });
});

test('neither, or one of them alone, is searched as it is typed', () => {
  expect(askedFor(' Ayşe Deniz ')).toEqual({ text: 'Ayşe Deniz' });
  expect(askedFor('Kupon')).toEqual({ text: 'Kupon' });
  expect(askedFor('end of')).toEqual({ text: 'end of' });
});

test('a verb or a noun within a name stays in it', () => {
  for (const name of ['West End Hotel', 'Summer vouchers 2026', 'Lobi kupon portalı'])
    expect(askedFor(name)).toEqual({ text: name });
});
