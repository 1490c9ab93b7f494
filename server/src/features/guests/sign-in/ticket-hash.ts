import { createHash } from 'node:crypto';

/** Tickets are stored as this hash. */
export const ticketHash = (ticket: string): Buffer => createHash('sha256').update(ticket).digest();
