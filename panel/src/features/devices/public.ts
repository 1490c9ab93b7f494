export { BrandChoice } from '#features/devices/brand-choice.tsx';
export { BrandLogo } from '#features/devices/brand-logo.tsx';
export { ConnectionFacts } from '#features/devices/connection-facts.tsx';
export { DeviceReady } from '#features/devices/device-ready.tsx';
export { makeSecret } from '#features/devices/device-secret.ts';
export { DeviceStatus } from '#features/devices/device-status.tsx';
export { useBrands, useCreateDevice, useDevice, useUpdateDevice } from '#features/devices/devices.api.ts';
