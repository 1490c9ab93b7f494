import { lazyPart } from '#lib/lazy-part.tsx';

export { BrandLogo } from '#features/devices/brand-logo.tsx';
export { DeviceStatus } from '#features/devices/device-status.tsx';
export { useBrands, useCreateDevice, useDevice, useUpdateDevice } from '#features/devices/devices.api.ts';
export { BrandChoice } from '#features/devices/setup/brand-choice.tsx';
export { ConnectionFacts } from '#features/devices/setup/connection-facts.tsx';
export { generateSecret } from '#features/devices/setup/device-secret.ts';
export { FirstPacket } from '#features/devices/setup/first-packet.tsx';
export { SecretField } from '#features/devices/setup/secret-field.tsx';
export { UntriedNote } from '#features/devices/setup/untried-note.tsx';

/** Loaded on demand, because it contains the form of the script. */
export const DeviceReady = lazyPart(
  () => import('#features/devices/setup/device-ready.tsx'),
  'DeviceReady',
  'in-place',
);
