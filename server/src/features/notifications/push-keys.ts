import type { App } from '#lib/app.ts';
import { makeVapidKeys, type VapidKeys } from '#lib/web-push.ts';
import { findPushKeys, storePushKeys } from './push.queries.ts';

/** The key pair by which push services know this installation. It is made when it is first needed. */
export async function pushKeys({ db, secrets }: Pick<App, 'db' | 'secrets'>): Promise<VapidKeys> {
  const find = () => db.withSystem(findPushKeys);
  let kept = await find();
  // Keys that were encrypted with a lost SECRET_KEY are replaced. Browsers that subscribed with them are forgotten.
  if (!kept || secrets.read(kept.privateKey) === undefined) {
    const { publicKey, privateKey } = makeVapidKeys();
    const made = { publicKey, privateKey: secrets.encrypt(privateKey) };
    await db.withSystem(tx => storePushKeys(tx, made, kept?.privateKey));
    kept = await find();
  }
  return { publicKey: kept!.publicKey, privateKey: secrets.decrypt(kept!.privateKey) };
}
