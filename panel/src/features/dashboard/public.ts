export { AttemptInputs, useReason } from '#features/dashboard/attempts.tsx';
