export { guestLanguage, keepLanguage } from './guest-language.ts';
export { listConsentsOf } from './sign-in/consents.queries.ts';
