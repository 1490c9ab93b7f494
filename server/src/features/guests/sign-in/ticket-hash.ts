import { createHash } from 'node:crypto';

/** As tickets are stored. */
export const ticketHash = (ticket: string): Buffer => createHash('sha256').update(ticket).digest();
