import { randomBytes } from 'node:crypto';
import { mailed } from './mail.ts';
import { callApi, type Operator, tokenOf } from './operator.ts';
import type { Product } from './product.ts';
import type { Venue } from './venue.ts';

/** Invites a new user to a venue, who accepts. Returns the user's token. */
export async function inviteMember(
  product: Product,
  by: Operator,
  { locationId }: Venue,
  grant: object,
): Promise<string> {
  const email = `member-${randomBytes(5).toString('hex')}@example.com`;
  const password = 'a quiet harbour 7';
  await by.call('POST', `panel/location/${locationId}/user`, { email, ...grant });
  const link = await mailed(product, email, /invitation\/accept\/([\w-]+)/);
  const body = { email, first_name: 'Ece', last_name: 'Yılmaz', phone_number: '+90 533 000 00 00', password };
  await callApi(product, { method: 'POST', path: 'user/register', body: { ...body, invite_token: link } });
  const token = await tokenOf(product, { email, password });
  await callApi(product, { method: 'POST', path: `panel/user/team/change/${locationId}`, token, body: {} });
  return token;
}
