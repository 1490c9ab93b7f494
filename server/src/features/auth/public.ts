export { emailTaken, insertUser } from './auth.queries.ts';
export { authenticate } from './auth.service.ts';
export { hashPassword } from './passwords.ts';
export { createThrottle } from './throttle.ts';
