import { macPattern } from '@portico/contract/mac.ts';
import { z } from 'zod';

/** A MAC address in upper case. */
export const macText = z.string().toUpperCase().regex(macPattern);

/** A count of bytes; 0 for anything else. */
export const byteCount = z.int().nonnegative().default(0).catch(0);

/** In place of a user name: the password is an API key of the official interface. */
export const apiKeyUser = 'api-key';
