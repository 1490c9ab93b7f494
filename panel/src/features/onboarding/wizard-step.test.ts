import { expect, test } from 'vitest';
import { stepOf } from '#features/onboarding/wizard-step.ts';

const nothing = { hasDevice: false, hasPortal: false, mayPortal: true };
const device = { ...nothing, hasDevice: true };
const portal = { ...nothing, hasPortal: true };

test.each([
  [{}, nothing, 1],
  [{ step: '2' }, nothing, 1],
  [{ step: '2', brand: 'mikrotik' }, nothing, 2],
  [{ step: '3' }, nothing, 1],
  [{ step: '4' }, nothing, 1],
  [{}, device, 3],
  [{ step: '4' }, device, 3],
  [{ step: '4' }, { ...device, mayPortal: false }, 4],
  [{ step: '4' }, { ...nothing, mayPortal: false }, 1],
  [{}, portal, 3],
  [{ step: '1' }, { ...portal, hasDevice: true }, 1],
  [{ step: '4' }, { ...portal, hasDevice: true }, 4],
  [{ step: 'x' }, nothing, 1],
] as const)('%j with %j is step %i', (search, known, step) => {
  expect(stepOf(search, known)).toBe(step);
});
