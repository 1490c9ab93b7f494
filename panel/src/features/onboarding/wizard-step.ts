import type { ListSearch } from '#lib/search.ts';

export type Step = 1 | 2 | 3 | 4;

interface Known {
  hasDevice: boolean;
  hasPortal: boolean;
}

/** The step in the address, or an earlier one if its data is missing; without one, the step where the setup stopped. */
export function stepOf({ step, brand }: ListSearch, { hasDevice, hasPortal }: Known): Step {
  if (step === '1') return 1;
  if (step === '2') return brand ? 2 : 1;
  if (step === '4' && hasPortal) return 4;
  return hasPortal || hasDevice ? 3 : 1;
}
