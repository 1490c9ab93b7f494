export { Guest } from '#features/sessions/guest.tsx';
export { type PeriodName, periodNames, readPeriod } from '#features/sessions/period.ts';
export { PeriodEditor } from '#features/sessions/period-editor.tsx';
export { SessionState } from '#features/sessions/session-state.tsx';
export { useBlock, useDeviceChoices, useKick } from '#features/sessions/sessions.api.ts';
