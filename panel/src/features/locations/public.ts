export { LocationTab } from '#features/locations/location-header.tsx';
