import { expect } from 'vitest';
import { cookiesOf, onlineOf, type Venue } from './venue.ts';

/** Signs a visitor in, by default a new one. Returns the page that the router sends the guest to, and the cookie of the browser. */
export async function comeOnline(venue: Venue, known?: string): Promise<[at: string, headers: { cookie: string }]> {
  const username = known ?? (await venue.visitor());
  const answer = await venue.submit({ username, password: 'parola 1' });
  const back = new URL(answer.headers.get('location')!);
  const ticket = back.searchParams.get('username')!;
  expect((await venue.routerAccepts(ticket)).outcome).toBe('accept');
  await venue.routerStarts(ticket, { uploadBytes: 0, downloadBytes: 0 });
  return [onlineOf(answer), { cookie: cookiesOf(answer) }];
}
