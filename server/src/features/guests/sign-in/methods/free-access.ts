import { email as emailShape } from '@portico/contract/fields.ts';
import type { Tx } from '#db/tenant.ts';
import { countOneIn, createLimit, ofNetwork } from '#features/throttle/public.ts';
import { changeAddress, type FreeAccount, insertFree, startAgain, type Terms } from '#features/visitors/public.ts';
import { newId } from '#lib/ids.ts';
import { mailConfirmation } from '../../confirm-email/confirmation-mail.ts';
import { isOwnBrowser } from '../own-browser.ts';
import { findFree, findTerms } from './free-access.queries.ts';
import { type Attempt, inputError, type Proof, type Refused } from './method.ts';
import { lockGuest } from './sms-codes.queries.ts';

/** Free access, shared by the methods `temp` and `email`: once a day per device, for the duration of the profile. */

type FreeAttempt = Attempt<'temp'> | Attempt<'email'>;

// MACs can be made up.
const newDevices = createLimit('new devices of a network', 1000);

/** Time to read the mail, if the profile has no duration. */
const confirmSeconds = 900;
export const freeAccessUsed: Refused = { problem: 'free_over', notAGuess: true };

export const accountOf = ({ request }: FreeAttempt, provider: FreeAccount['provider']): FreeAccount => ({
  locationId: request.context.location_id,
  provider,
  mac: request.visit.mac,
});

export async function termsOf(tx: Tx, { request, options }: FreeAttempt): Promise<Terms> {
  const { context, visit } = request;
  const found = await findTerms(tx, { deviceId: context.device_id, ip: visit.ip, profileId: options.profile_id });
  return { profileId: found.profile_id, seconds: found.seconds };
}

export async function createVisitor(
  tx: Tx,
  attempt: FreeAttempt,
  account: FreeAccount,
  it: Terms & { email: string | null },
): Promise<string> {
  await countOneIn(tx, attempt.app, ofNetwork(newDevices, attempt.address));
  const id = newId();
  const { device_id: deviceId } = attempt.request.context;
  await insertFree(tx, id, account, { ...it, deviceId, name: it.email ?? account.mac });
  return id;
}

export const lockAccount = (tx: Tx, { locationId, provider, mac }: FreeAccount) =>
  lockGuest(tx, `${provider} ${locationId} ${mac}`);

export async function proveByEmail(attempt: FreeAttempt, provider: FreeAccount['provider']): Promise<Proof> {
  if (!attempt.form.email) return inputError('missing', 'email');
  const read = emailShape.safeParse(attempt.form.email);
  if (!read.success) return inputError('bad_email', 'email');
  const { tenantId } = attempt.request.context;
  return attempt.app.db.withTenant(tenantId, tx => byEmail(tx, attempt, accountOf(attempt, provider), read.data));
}

/** The first period needs no confirmation of the address; a further one does, where the portal asks for it. */
async function byEmail(tx: Tx, attempt: FreeAttempt, account: FreeAccount, address: string): Promise<Proof> {
  const confirms = attempt.options.confirm_email;
  await lockAccount(tx, account);
  const known = await findFree(tx, account);
  if (!known) {
    const terms = await termsOf(tx, attempt);
    const seconds = terms.seconds ?? (confirms ? confirmSeconds : null);
    const id = await createVisitor(tx, attempt, account, { ...terms, seconds, email: address });
    if (confirms) await askFor(tx, attempt, id, address);
    return { visitorId: id };
  }
  // Without the cookie of its visitor a browser may be another person's, with a copied MAC.
  const isOwn = await isOwnBrowser(tx, attempt.app, attempt.request, attempt.client, known.id);
  const awaitsProof = confirms && !known.confirmed;
  const isChanged = known.email !== address && (isOwn || awaitsProof);
  if (isChanged) await changeAddress(tx, known.id, address);
  const proof = { visitorId: known.id, byAddress: !isOwn };
  const isUnconfirmed = awaitsProof || (confirms && isChanged);
  if (isUnconfirmed && (isChanged || known.over)) await askFor(tx, attempt, known.id, address);
  if (isUnconfirmed && known.over) return { problem: 'confirm_email', notAGuess: true };
  const startsAgain = known.over || (confirms && known.confirmed_since && !isChanged);
  if (!startsAgain) return proof;
  if (known.over && known.today && !(confirms && known.confirmed_since)) return freeAccessUsed;
  await startAgain(tx, known.id, await termsOf(tx, attempt));
  return proof;
}

const askFor = (tx: Tx, { app, request, frame }: FreeAttempt, visitorId: string, email: string): Promise<void> =>
  mailConfirmation(tx, app, request, { visitorId, email, language: frame.language });
