import type { BulkForm, Credentials } from '@portico/contract/visitors.ts';
import { tellLater } from '#db/webhook-event.ts';
import { audit } from '#features/audit/public.ts';
import { chooseLocation } from '#features/locations/public.ts';
import { AppError } from '#http/app-error.ts';
import { newId, randomWord } from '#lib/ids.ts';
import { sellDays } from './paid-days.service.ts';
import { insertVisitors } from './visitors.queries.ts';
import { atLocation, type Call, commonColumns, paidDays, signInUrl } from './visitors.service.ts';

const passwordLength = 8;
// Six characters are 887 million names: a name in use is so rare that a few attempts are enough.
const suffixLength = 6;
const attempts = 5;

function invent(call: Call, form: BulkForm, number: number) {
  const username = `${form.username ?? ''}${randomWord(form.username ? suffixLength : passwordLength)}`;
  const password = randomWord(passwordLength);
  const name = `${form.name} ${number}`;
  return { id: newId(), number, name, username, password, encrypted: call.app.secrets.encrypt(password) };
}

/** Creates many visitors, all or none. Only this reply contains the passwords. `days`: those that each of them has paid for. */
export async function createVisitors(call: Call, form: BulkForm): Promise<{ made: Credentials[]; days: number }> {
  let wanted = Array.from({ length: form.total_user }, (_, index) => invent(call, form, index + 1));
  return call.inTenant(async tx => {
    const locationId = await chooseLocation(tx, call.actor, form.location_id);
    const days = await paidDays(tx, {
      locationId,
      profileId: form.profile_id,
      days: form.total_paid_day,
      end: form.session_end_at,
    });
    const values = {
      name: '',
      provider_type: form.provider_type,
      ...commonColumns(await atLocation(tx, locationId, form), days),
    };
    const made: typeof wanted = [];
    for (let round = 0; wanted.length && round < attempts; round++) {
      const people = wanted;
      const ids = await tellLater(tx, () => insertVisitors(tx, locationId, values, people));
      made.push(...wanted.filter(person => ids.has(person.id)));
      wanted = wanted.filter(person => !ids.has(person.id)).map(person => invent(call, form, person.number));
    }
    if (wanted.length) throw new AppError('conflict');
    const ids = made.map(person => person.id);
    await tellLater(tx, () => sellDays(tx, ids));
    await audit(tx, call.actor, {
      verb: 'create',
      subject: { type: 'visitor', name: form.username ?? '' },
      locationId,
      after: { total_user: made.length, profile_id: form.profile_id, ...(days > 0 && { days }) },
    });
    const credentials = made.map(({ id, name, username, password }) => ({
      id,
      name,
      username,
      password,
      sign_in_url: signInUrl(call, id, password),
    }));
    return { made: credentials, days };
  });
}
