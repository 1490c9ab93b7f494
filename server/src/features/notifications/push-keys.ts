import type { App } from '#lib/app.ts';
import { makeVapidKeys, type VapidKeys } from '#lib/web-push.ts';
import { findPushKeys, storePushKeys } from './push.queries.ts';

/** The key pair by which push services know this installation. It is made when it is first needed. */
export async function pushKeys({ db, secrets }: Pick<App, 'db' | 'secrets'>): Promise<VapidKeys> {
  const find = () => db.withSystem(findPushKeys);
  let kept = await find();
  if (!kept) {
    const { publicKey, privateKey } = makeVapidKeys();
    await db.withSystem(tx => storePushKeys(tx, { publicKey, privateKey: secrets.encrypt(privateKey) }));
    kept = await find();
  }
  return { publicKey: kept!.publicKey, privateKey: secrets.decrypt(kept!.privateKey) };
}
