export {
  correctRecipient,
  eraseConsents,
  forgetOldProofs,
  insertConsent,
  listOpenOf,
  type OpenConsent,
  withdrawOf,
} from './consents.queries.ts';
export { recipientHash, textVersion } from './consents.service.ts';
