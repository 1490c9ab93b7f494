export { SignInPreview } from '#features/auth/sign-in-preview.tsx';
