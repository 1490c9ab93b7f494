import { lazyPart } from '#lib/lazy-part.tsx';

export { BrandChoice } from '#features/devices/brand-choice.tsx';
export { BrandLogo } from '#features/devices/brand-logo.tsx';
export { ConnectionFacts } from '#features/devices/connection-facts.tsx';
export { makeSecret } from '#features/devices/device-secret.ts';
export { DeviceStatus } from '#features/devices/device-status.tsx';
export { useBrands, useCreateDevice, useDevice, useUpdateDevice } from '#features/devices/devices.api.ts';
export { SecretField } from '#features/devices/secret-field.tsx';

/** Fetched when it is shown: it brings the script's form along, and most who import this file need neither. */
export const DeviceReady = lazyPart(() => import('#features/devices/device-ready.tsx'), 'DeviceReady', 'in-place');
