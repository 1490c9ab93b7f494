export { SecuritySettings } from '#features/account/security-settings.tsx';
