export { guestLanguage, keepLanguage } from './guest-language.ts';
