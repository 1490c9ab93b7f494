import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import { refusalOfReply } from '@portico/contract/sessions.ts';

// RouterOS's own words (the texts of its errors.txt), for what it refuses without having asked us.
const ownWords: readonly (readonly [RegExp, GuestProblem])[] = [
  [/radius.*(not responding|timeout)/i, 'no_radius'],
  [/no more sessions|simultaneous|already logged|session limit/i, 'over_limit'],
  [/transfer limit|traffic limit|quota/i, 'over_quota'],
  [/uptime limit|no valid profile|expired/i, 'expired'],
  [/invalid (username|user name|password)|not found/i, 'ticket_over'],
  [/chap|invalid login|already authorizing|retry later/i, 'ticket_over'],
];

/** What a router's `error=` tells the guest, or null without one. */
export function problemOfRouter(error: string): GuestProblem | null {
  const words = error.trim();
  if (!words) return null;
  const ours = refusalOfReply(words);
  // Guests bring tickets only: what was wrong is that the ticket was used or too old.
  if (ours) return ours === 'wrong_credentials' ? 'ticket_over' : ours;
  return ownWords.find(([pattern]) => pattern.test(words))?.[1] ?? 'refused';
}
