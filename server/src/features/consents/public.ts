export {
  eraseConsents,
  forgetOldProofs,
  insertConsent,
  listOpenOf,
  type OpenConsent,
  withdrawOf,
} from './consents.queries.ts';
export { recipientHash } from './consents.service.ts';
