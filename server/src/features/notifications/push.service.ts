import { createHash } from 'node:crypto';
import type { PushBrowser, PushForm } from '@portico/contract/push.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { countOne, createLimit } from '#features/throttle/public.ts';
import type { Actor } from '#http/actor.ts';
import { AppError, found, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { deviceName } from '#lib/device-name.ts';
import { newId } from '#lib/ids.ts';
import { outboundAddress } from '#lib/outbound.ts';
import { isPoint, type PushSubscriber } from '#lib/web-push.ts';
import * as queries from './push.queries.ts';
import { pushKeys } from './push-keys.ts';

const maxBrowsers = 20;
/** Each call looks a name up in the DNS. */
const turnedOn = createLimit('push-browsers', 30, 60);

const subjectOf = ({ id, name }: { id: string; name: string }) => ({ type: 'push-browser' as const, id, name });

/** Adds the browser to those of the user. It leaves another user who turned notifications on in it before. */
export async function putBrowser(
  { app, request, inTenant }: Context,
  actor: Actor,
  { endpoint, keys }: PushForm,
): Promise<{ made: boolean; data: PushBrowser }> {
  if (actor.scopes) throw new AppError('not_allowed');
  if (!isPoint(keys.p256dh)) throw invalid({ 'keys.p256dh': 'invalid' });
  await countOne(app, [[turnedOn, actor.userId]]);
  await requirePublic(endpoint, app.settings.INTEGRATIONS_INSIDE);
  const { publicKey } = await pushKeys(app);
  const fingerprint = createHash('sha256').update(endpoint).digest();
  const subscriber: PushSubscriber = { endpoint, keys };
  return inTenant(async tx => {
    if ((await queries.countOthers(tx, actor.userId, fingerprint, publicKey)) >= maxBrowsers)
      throw invalid({ endpoint: ['list_max', { limit: maxBrowsers }] });
    const before = await queries.findByFingerprint(tx, fingerprint);
    if (before) await queries.deleteBrowser(tx, before.id);
    const data = await queries.insertBrowser(tx, {
      id: newId(),
      userId: actor.userId,
      tokenId: actor.tokenId,
      fingerprint,
      subscription: app.secrets.encrypt(JSON.stringify(subscriber)),
      serverKey: publicKey,
      service: new URL(endpoint).hostname,
      name: deviceName(request.headers['user-agent'] ?? ''),
    });
    const made = before?.user_id !== actor.userId;
    await audit(tx, actor, {
      verb: made ? 'create' : 'update',
      subject: subjectOf(data),
      after: { service: data.service },
    });
    return { made, data };
  });
}

/** The address is judged again each time that we send to it. A name that is unknown now may be known then. */
async function requirePublic(endpoint: string, allowInside: boolean): Promise<void> {
  const host = new URL(endpoint).hostname.replace(/^\[|\]$/g, '');
  const unknown = Symbol('unknown');
  const address = await outboundAddress(host, allowInside).catch(() => unknown);
  if (address === undefined) throw invalid({ endpoint: 'printer_address' });
}

export async function removeBrowser(tx: Tx, actor: Actor, id: string): Promise<void> {
  const gone = found(await queries.deleteOwnBrowser(tx, actor.userId, id));
  await audit(tx, actor, { verb: 'delete', subject: subjectOf(gone) });
}
