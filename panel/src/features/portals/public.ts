export { PortalSetup } from '#features/portals/portal-setup.tsx';
