export { DeviceLink } from '#features/sessions/device-link.tsx';
export { EndReason } from '#features/sessions/end-reason.tsx';
export { Guest } from '#features/sessions/guest.tsx';
export { OnlineGuest } from '#features/sessions/online-guest.tsx';
export { type PeriodName, periodNames, readPeriod } from '#features/sessions/period.ts';
export { PeriodEditor } from '#features/sessions/period-editor.tsx';
export { SessionState } from '#features/sessions/session-state.tsx';
export { useBlock, useDeviceChoices, useEndSession } from '#features/sessions/sessions.api.ts';
export { useAddressFilters, useNameSearch } from '#features/sessions/use-guest-filters.ts';
