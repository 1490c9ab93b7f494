export { authJobs } from './auth.jobs.ts';
export {
  changeUser,
  deleteEveryToken,
  deleteOtherTokens,
  demoteUser,
  emailTaken,
  insertUser,
  leaveAllBut,
  leaveLocation,
} from './auth.queries.ts';
export { authenticate } from './auth.service.ts';
export { dropPending } from './confirmations.queries.ts';
export {
  askConfirmation,
  askGuestConfirmation,
  guestConfirmation,
  requireConfirmedEmail,
} from './confirmations.service.ts';
export { askPasswordWithPasskeys } from './passkeys.queries.ts';
export { hashPassword, requireGoodPassword } from './passwords.ts';
export { endSso, hasPassword, makeTenant, resetUserPassword } from './users.cli.ts';
