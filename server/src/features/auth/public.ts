export { authJobs } from './auth.jobs.ts';
export {
  changeUser,
  deleteOtherTokens,
  demoteUser,
  emailTaken,
  insertUser,
  leaveAllBut,
  leaveLocation,
} from './auth.queries.ts';
export { authenticate } from './auth.service.ts';
export { askConfirmation } from './confirmations.service.ts';
export { hashPassword, requirePasswordLength } from './passwords.ts';
export { createThrottle } from './throttle.ts';
export { CommandError, hasPassword, makeTenant, resetUserPassword } from './users.cli.ts';
