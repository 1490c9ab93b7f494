import { lazyPart } from '#lib/lazy-part.tsx';

export { Guest } from '#features/sessions/guest.tsx';
export { type PeriodName, periodNames, readPeriod } from '#features/sessions/period.ts';
export { PeriodEditor } from '#features/sessions/period-editor.tsx';
export { RouterLink } from '#features/sessions/router-link.tsx';
export { SessionState } from '#features/sessions/session-state.tsx';
export { useDeviceChoices, useKick } from '#features/sessions/sessions.api.ts';

export const ConfirmBlock = lazyPart(() => import('#features/sessions/confirm-block.tsx'), 'ConfirmBlock');
