import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ProviderSlug } from '@portico/contract/portal-providers.ts';
import { sendMessages } from '#sms/sms.jobs.ts';
import type { Venue } from './venue.ts';

interface MethodCase {
  /** Correct input for this method. */
  readonly fields: () => Promise<Record<string, string>>;
  /** Fields that the method always has. */
  readonly own?: 'email' | 'phone';
}

export const phoneOf = (guest: number): string => `+90533${1_000_000 + guest}`;

/** A valid identity number for each guest. */
function citizen(guest: number): string {
  const nine = [...String(200_000_000 + guest)].map(Number);
  const sum = (digits: number[]) => digits.reduce((a, b) => a + b, 0);
  const odd = sum(nine.filter((_, i) => i % 2 === 0));
  const tenth = (odd * 7 - sum(nine.filter((_, i) => i % 2 === 1)) + 100) % 10;
  return [...nine, tenth, (sum(nine) + tenth) % 10].join('');
}

const born = { birth_day: 1, birth_month: 2, birth_year: 1980 };

/** All methods of the portal. `guest`: a number that no other guest of the test has. */
export function methodCasesOf(venue: () => Venue, guest: () => number): Record<ProviderSlug, MethodCase> {
  const createVisitor = (more: object) =>
    venue().create('panel/client', { name: 'Ada Deniz', location_id: venue().location, ...more });
  return {
    'citizen-id': {
      fields: async () => {
        const citizen_id = citizen(guest());
        await createVisitor({ provider_type: 'citizen-id', provider_id: citizen_id, ...born });
        return { citizen_id, first_name: 'Ada', last_name: 'Deniz', birth_date: '1980-02-01' };
      },
    },
    'room-number': {
      fields: async () => {
        const room = { room_number: String(100 + guest()), idNumber: 'U1', session_end_at: '2099-08-15T09:00:00Z' };
        await createVisitor({ provider_type: 'room-number', ...room, ...born });
        return { room_number: room.room_number, id_number: 'u1', birth_date: '1980-02-01' };
      },
    },
    sms: { fields: async () => ({ phone: phoneOf(guest()) }), own: 'phone' },
    username: { fields: async () => ({ username: await venue().visitor(), password: 'parola 1' }) },
    temp: { fields: async () => ({}) },
    email: { fields: async () => ({ email: `guest${guest()}@example.com` }), own: 'email' },
    voucher: {
      fields: async () => {
        const terms = { name: 'Havuz', count: 1, valid_for: { is_active: true, option: 'day', value: 1 } };
        const batch = await venue().create('panel/voucher-batch', { ...terms, location_id: venue().location });
        const at = `panel/voucher-batch/${batch['id']}/cards`;
        return { voucher: (await venue().api.post(at, { token: venue().admin, body: {} })).body.data[0].code };
      },
    },
  };
}

/** The code that a phone number got by SMS. */
export async function smsCode({ api }: Venue, phone: string): Promise<string> {
  await sendMessages(api.app);
  const outbox = path.join(api.app.settings.DATA_DIR, 'outbox');
  const texts = readdirSync(outbox).map(name => readFileSync(path.join(outbox, name), 'utf8'));
  return /\b(\d{6})\b/.exec(texts.find(text => text.startsWith(`To: ${phone}\n`))!.split('\n\n')[1]!)![1]!;
}
