export { LocationHeader } from '#features/locations/location-header.tsx';
