import { lazyPart } from '#lib/lazy-part.tsx';

export { AttemptInputs, useReason } from '#features/dashboard/attempts.tsx';
export { ProblemList } from '#features/dashboard/problem-list.tsx';

/** Loaded on demand: a chart below the state of a device. */
export const LastDay = lazyPart(() => import('#features/dashboard/last-day.tsx'), 'LastDay', 'in-place');
