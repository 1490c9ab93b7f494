import { z } from 'zod';

/** A MAC address in upper case; undefined for anything else, which is no guest of ours. */
export const macText = z
  .string()
  .regex(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i)
  .toUpperCase()
  .optional()
  .catch(undefined);

/** A count of bytes; 0 for anything else. */
export const byteCount = z.int().nonnegative().default(0).catch(0);
