import type { Tx } from '#db/tenant.ts';
import { type FreeAccount, startAgain } from '#features/visitors/public.ts';
import { isOwnBrowser } from '../own-browser.ts';
import { findFree } from './free-access.queries.ts';
import { accountOf, createVisitor, freeAccessUsed, lockAccount, proveByEmail, termsOf } from './free-access.ts';
import type { Attempt, Method, Proof } from './method.ts';

/** Free access without any data, or with an e-mail address that has to be confirmed. */
export const temp: Method<'temp'> = {
  target: () => null,
  recorded: form => (form.email ? { email: form.email } : {}),
  async prove(attempt) {
    if (attempt.options.confirm_email) return proveByEmail(attempt, 'temp');
    const account = accountOf(attempt, 'temp');
    return attempt.app.db.withTenant(attempt.request.context.tenantId, tx => proveByDevice(tx, attempt, account));
  },
};

async function proveByDevice(tx: Tx, attempt: Attempt<'temp'>, account: FreeAccount): Promise<Proof> {
  await lockAccount(tx, account);
  const known = await findFree(tx, account);
  if (!known)
    return { visitorId: await createVisitor(tx, attempt, account, { ...(await termsOf(tx, attempt)), email: null }) };
  if (known.over && known.today) return freeAccessUsed;
  if (known.over) await startAgain(tx, known.id, await termsOf(tx, attempt));
  const isOwn = await isOwnBrowser(tx, attempt.app, attempt.request, attempt.client, known.id);
  return { visitorId: known.id, byAddress: !isOwn };
}
