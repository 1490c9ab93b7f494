/** Notifications that this browser shows though the panel is closed (Web Push). */

/** `insecure`: browsers offer it over https only. `denied`: the user forbade notifications of this site. */
export type PushState = 'unsupported' | 'insecure' | 'denied' | 'ready';

export function pushState(): PushState {
  if (!isSecureContext) return 'insecure';
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window))
    return 'unsupported';
  return Notification.permission === 'denied' ? 'denied' : 'ready';
}

const worker = '/push-worker.js';

async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** SHA-256 of the address of this browser, by which the server lists it; undefined without a subscription. */
export async function ownFingerprint(): Promise<string | undefined> {
  if (pushState() !== 'ready') return undefined;
  const subscription = await currentSubscription();
  if (!subscription) return undefined;
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(subscription.endpoint));
  return Array.from(new Uint8Array(hash), byte => byte.toString(16).padStart(2, '0')).join('');
}

/** Asks the user, then the push service. Undefined: the user said no. */
export async function subscribe(publicKey: string): Promise<PushSubscription | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined;
  await navigator.serviceWorker.register(worker);
  const { pushManager } = await navigator.serviceWorker.ready;
  // A subscription with another key could not be replaced.
  await (await pushManager.getSubscription())?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
}

/** The push service then refuses messages that are still on their way. */
export async function unsubscribe(): Promise<void> {
  if (pushState() === 'ready') await (await currentSubscription())?.unsubscribe();
}
