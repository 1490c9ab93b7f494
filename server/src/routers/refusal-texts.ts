import type { GuestProblem } from '@portico/contract/guest-problems.ts';

/** Texts of RouterOS's errors.txt and of similar gateways, for what they refuse without asking RADIUS. */
const texts: readonly (readonly [RegExp, GuestProblem])[] = [
  [/radius.*(not responding|timeout)/i, 'no_radius'],
  [/no more sessions|simultaneous|already logged|session limit/i, 'over_limit'],
  [/transfer limit|traffic limit|quota/i, 'over_quota'],
  [/uptime limit|no valid profile|expired/i, 'expired'],
  [/invalid (username|user name|password)|not found/i, 'ticket_over'],
  [/chap|invalid login|already authorizing|retry later/i, 'ticket_over'],
];

export const problemOfText = (error: string): GuestProblem | undefined =>
  texts.find(([pattern]) => pattern.test(error))?.[1];
