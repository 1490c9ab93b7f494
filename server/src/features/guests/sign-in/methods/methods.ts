import type { ProviderSlug } from '@portico/contract/portal-providers.ts';
import { citizenId } from './citizen-id.ts';
import { email } from './email.ts';
import type { Method } from './method.ts';
import { roomNumber } from './room-number.ts';
import { sms } from './sms.ts';
import { temp } from './temp.ts';
import { username } from './username.ts';
import { voucher } from './voucher.ts';

const methods: { readonly [S in ProviderSlug]: Method<S> } = {
  'citizen-id': citizenId,
  'room-number': roomNumber,
  sms,
  username,
  temp,
  email,
  voucher,
};

export const methodOf = (slug: ProviderSlug) => methods[slug];
