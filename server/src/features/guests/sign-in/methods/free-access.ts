import { email as emailShape } from '@portico/contract/fields.ts';
import type { Tx } from '#db/tenant.ts';
import { askConfirmation, createThrottle } from '#features/auth/public.ts';
import { changeAddress, type FreeAccess, type FreePeriod, insertFree, startAgain } from '#features/visitors/public.ts';
import { callerNetwork } from '#lib/caller-network.ts';
import { newId } from '#lib/ids.ts';
import { findFree, findTerms } from './free-access.queries.ts';
import { maskEmail } from './masks.ts';
import { type Attempt, type Method, type Proof, type Refused, slip } from './method.ts';
import { lockGuest } from './sms-codes.queries.ts';

/** Free access: once a day for each device, for as long as the profile says. */

type Try = Attempt<'temp'> | Attempt<'email'>;

// Devices can be made up, mailboxes be other people's: neither in great numbers.
const newDevices = createThrottle(1000);
const mailsOfDevice = createThrottle(5);
const mailsToAddress = createThrottle(3);

/** For reading the mail, where no profile says how long. */
const confirmSeconds = 900;
const used: Refused = { problem: 'free_over', honest: true };

const ofOf = ({ at }: Try, provider: FreeAccess['provider']): FreeAccess => ({
  locationId: at.door.location_id,
  provider,
  mac: at.state.mac,
});

async function startOf(tx: Tx, { at, options }: Try): Promise<FreePeriod> {
  const { profile_id } = options;
  const terms = await findTerms(tx, { deviceId: at.door.device_id, ip: at.state.ip, profileId: profile_id });
  return { profileId: terms.profile_id, seconds: terms.seconds };
}

async function make(tx: Tx, attempt: Try, of: FreeAccess, it: FreePeriod & { email: string | null }): Promise<string> {
  const network = callerNetwork(attempt.address);
  newDevices.check(network);
  newDevices.failed(network);
  const id = newId();
  await insertFree(tx, id, of, { ...it, deviceId: attempt.at.door.device_id, name: it.email ?? of.mac });
  return id;
}

const lockOf = (tx: Tx, { locationId, provider, mac }: FreeAccess) => lockGuest(tx, `${provider} ${locationId} ${mac}`);

export const temp: Method<'temp'> = {
  target: () => null,
  shown: form => (form.email ? { email: maskEmail(form.email) } : {}),
  async prove(attempt) {
    if (attempt.options.confirm_email) return proveByEmail(attempt, 'temp');
    return attempt.app.db.withTenant(attempt.at.door.tenantId, async (tx): Promise<Proof> => {
      const of = ofOf(attempt, 'temp');
      await lockOf(tx, of);
      const known = await findFree(tx, of);
      if (!known) return { visitorId: await make(tx, attempt, of, { ...(await startOf(tx, attempt)), email: null }) };
      if (known.over && known.today) return used;
      if (known.over) await startAgain(tx, known.id, await startOf(tx, attempt));
      return { visitorId: known.id };
    });
  },
};

export const email: Method<'email'> = {
  target: () => null,
  shown: form => ({ email: maskEmail(form.email) }),
  prove: attempt => proveByEmail(attempt, 'email'),
};

async function proveByEmail(attempt: Try, provider: FreeAccess['provider']): Promise<Proof> {
  if (!attempt.form.email) return slip('missing', 'email');
  const read = emailShape.safeParse(attempt.form.email);
  if (!read.success) return slip('bad_email', 'email');
  const { tenantId } = attempt.at.door;
  return attempt.app.db.withTenant(tenantId, tx => byEmail(tx, attempt, ofOf(attempt, provider), read.data));
}

/** Who must confirm the address has a first time without; only who has confirmed it begins again. */
async function byEmail(tx: Tx, attempt: Try, of: FreeAccess, address: string): Promise<Proof> {
  const confirms = attempt.options.confirm_email;
  await lockOf(tx, of);
  const known = await findFree(tx, of);
  if (!known) {
    const start = await startOf(tx, attempt);
    const seconds = start.seconds ?? (confirms ? confirmSeconds : null);
    const id = await make(tx, attempt, of, { ...start, seconds, email: address });
    if (confirms) await mail(tx, attempt, id, address);
    return { visitorId: id };
  }
  const changed = known.email !== address;
  if (changed) await changeAddress(tx, known.id, address);
  const unconfirmed = confirms && (changed || !known.confirmed);
  if (unconfirmed && (changed || known.over)) await mail(tx, attempt, known.id, address);
  if (unconfirmed && known.over) return { problem: 'confirm_email', honest: true };
  const again = known.over || (confirms && known.confirmed_since && !changed);
  if (!again) return { visitorId: known.id };
  if (known.over && known.today && !(confirms && known.confirmed_since)) return used;
  await startAgain(tx, known.id, await startOf(tx, attempt));
  return { visitorId: known.id };
}

async function mail(tx: Tx, { app, at, frame }: Try, visitorId: string, address: string): Promise<void> {
  const limits = [
    [mailsOfDevice, `${at.door.location_id} ${at.state.mac}`],
    [mailsToAddress, address],
  ] as const;
  for (const [throttle, key] of limits) throttle.check(key);
  for (const [throttle, key] of limits) throttle.failed(key);
  await askConfirmation(tx, app, {
    slug: at.door.tenant_slug,
    whose: { visitorId },
    email: address,
    name: address,
    language: frame.language === 'tr' ? 'tr' : 'en',
    locationId: at.door.location_id,
  });
}
