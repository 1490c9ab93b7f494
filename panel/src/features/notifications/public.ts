export { Bell } from '#features/notifications/bell.tsx';
