import type { ListSearch } from '#lib/search.ts';

export type Step = 1 | 2 | 3 | 4;

interface Known {
  hasDevice: boolean;
  hasPortal: boolean;
}

/** The step in the address, as far as what it builds on is there; without one, where the setup was left. */
export function stepOf({ step, brand }: ListSearch, { hasDevice, hasPortal }: Known): Step {
  if (step === '1') return 1;
  if (step === '2') return brand ? 2 : 1;
  if (step === '4' && hasPortal) return 4;
  return hasPortal || hasDevice ? 3 : 1;
}
