import { z } from 'zod';

/** The end alone: the years that a licence may be given for instead belong to another form. */
export const licenceEnd = z.object({ license_end_at: z.iso.date('date') });
