import { expect, test } from 'vitest';
import { stepOf } from '#features/onboarding/wizard-step.ts';

const nothing = { hasDevice: false, hasPortal: false };

test.each([
  [{}, nothing, 1],
  [{ step: '2' }, nothing, 1],
  [{ step: '2', brand: 'mikrotik' }, nothing, 2],
  [{ step: '3' }, nothing, 1],
  [{ step: '4' }, nothing, 1],
  [{}, { hasDevice: true, hasPortal: false }, 3],
  [{ step: '4' }, { hasDevice: true, hasPortal: false }, 3],
  [{}, { hasDevice: false, hasPortal: true }, 3],
  [{ step: '1' }, { hasDevice: true, hasPortal: true }, 1],
  [{ step: '4' }, { hasDevice: true, hasPortal: true }, 4],
  [{ step: 'x' }, nothing, 1],
] as const)('%j with %j is step %i', (search, known, step) => {
  expect(stepOf(search, known)).toBe(step);
});
