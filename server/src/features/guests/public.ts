export { listConsentsOf } from './consents.queries.ts';
export { guestLanguage, keepLanguage } from './guest-language.ts';
