export { ConsentList } from '#features/consents/consent-list.tsx';
export { useConsentsOfVisitor } from '#features/consents/consents.api.ts';
