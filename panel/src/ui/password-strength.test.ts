import { expect, test } from 'vitest';
import { strengthOf } from '#ui/password-strength.tsx';

test('length and variety make a password stronger, repetition weaker; a short one has strength 0', () => {
  expect(strengthOf('abc', 6)).toBe(0);
  expect(strengthOf('aaaaaa', 6)).toBe(1);
  expect(strengthOf('horse battery staple', 6)).toBe(4);
  expect(strengthOf('Kx7#pqLm', 6)).toBeGreaterThan(strengthOf('kxpqlmno', 6));
});
