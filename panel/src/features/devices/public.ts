export { BrandLogo } from '#features/devices/brand-logo.tsx';
export { ConnectionFacts } from '#features/devices/connection-facts.tsx';
export { DeviceStatus } from '#features/devices/device-status.tsx';
export { useDevice } from '#features/devices/devices.api.ts';
