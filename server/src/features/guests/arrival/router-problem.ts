import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import { refusalOfReply } from '@portico/contract/sessions.ts';
import type { HotspotDriver } from '#routers/driver.ts';

/** The problem in a router's `error` parameter; null without one. */
export function problemOfRouter(driver: HotspotDriver, error: string): GuestProblem | null {
  const text = error.trim();
  if (!text) return null;
  const refusal = refusalOfReply(text);
  // Guests only bring tickets, so wrong credentials mean a ticket that was used or has expired.
  if (refusal === 'unsupported_method') return 'refused';
  if (refusal) return refusal === 'wrong_credentials' ? 'ticket_over' : refusal;
  return driver.problemOf(text) ?? 'refused';
}
