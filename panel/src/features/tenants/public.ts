export { SettingsHeader } from '#features/tenants/settings-header.tsx';
