export { AttemptInputs, useReason } from '#features/dashboard/attempts.tsx';
export { LastDay } from '#features/dashboard/last-day.tsx';
export { ProblemList } from '#features/dashboard/problem-list.tsx';
