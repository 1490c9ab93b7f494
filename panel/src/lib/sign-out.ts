import { api } from '#lib/api.ts';
import { call } from '#lib/client.ts';
import { dropToken, leave } from '#lib/session.ts';

/** The next user of this browser sees nothing of this one. */
async function endPush(): Promise<void> {
  if (globalThis.Notification?.permission !== 'granted') return;
  const longEnough = new Promise(resolve => setTimeout(resolve, 2000));
  await Promise.race([import('#lib/push.ts').then(({ unsubscribe }) => unsubscribe()), longEnough]);
}

/** Signs out, here even if the server cannot be reached. */
export async function signOut(): Promise<void> {
  const ending = [call(api.auth.logout), endPush()];
  // The call has the token. The other tabs leave now, before the server refuses them.
  dropToken();
  await Promise.allSettled(ending);
  leave();
}
