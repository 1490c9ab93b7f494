import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ownFingerprint, pushState, subscribe, unsubscribe } from './push.ts';

const endpoint = 'https://push.example.com/send/1';

/** A browser: what the user answers when asked, and whether it is subscribed already. */
function stub(it: { permission?: string; answer?: string; secure?: boolean; worker?: boolean; subscribed?: boolean }) {
  const calls: string[] = [];
  const subscription = {
    endpoint,
    unsubscribe: async () => {
      calls.push('unsubscribe');
      current = null;
      return true;
    },
  };
  let current = it.subscribed ? subscription : null;
  const pushManager = {
    getSubscription: async () => current,
    subscribe: async (options: object) => {
      calls.push(`subscribe ${JSON.stringify(options)}`);
      current = subscription;
      return subscription;
    },
  };
  const serviceWorker = {
    getRegistration: async () => ({ pushManager }),
    register: async (file: string) => void calls.push(`register ${file}`),
    ready: Promise.resolve({ pushManager }),
  };
  const Notification = { permission: it.permission ?? 'default', requestPermission: async () => it.answer };
  vi.stubGlobal('isSecureContext', it.secure ?? true);
  vi.stubGlobal('navigator', it.worker === false ? {} : { serviceWorker });
  vi.stubGlobal('Notification', Notification);
  vi.stubGlobal('window', { PushManager: Object, Notification });
  return calls;
}
afterEach(() => vi.unstubAllGlobals());

describe('a browser', () => {
  test.each([
    [{ secure: false }, 'insecure'],
    [{ worker: false }, 'unsupported'],
    [{ permission: 'denied' }, 'denied'],
    [{}, 'ready'],
    [{ permission: 'granted' }, 'ready'],
  ])('%j is %s', (browser, state) => {
    stub(browser);
    expect(pushState()).toBe(state);
  });

  test('subscribes after the user allowed it, once its earlier subscription is gone', async () => {
    const calls = stub({ answer: 'granted', subscribed: true });
    expect(await subscribe('key')).toMatchObject({ endpoint });
    const options = '{"userVisibleOnly":true,"applicationServerKey":"key"}';
    expect(calls).toEqual(['register /push-worker.js', 'unsubscribe', `subscribe ${options}`]);
  });

  test('subscribes to nothing if the user says no', async () => {
    const calls = stub({ answer: 'denied' });
    expect(await subscribe('key')).toBeUndefined();
    expect(calls).toEqual([]);
  });

  test('is known to the server by the hash of its address, until it unsubscribes', async () => {
    stub({ subscribed: true });
    expect(await ownFingerprint()).toBe(createHash('sha256').update(endpoint).digest('hex'));
    await unsubscribe();
    expect(await ownFingerprint()).toBeUndefined();
  });
});

test('the worker shows what arrives, opens its screen, and does nothing else', async () => {
  const listeners: Record<string, (event: object) => void> = {};
  const done: unknown[] = [];
  const self = {
    addEventListener: (name: string, listener: (event: object) => void) => {
      listeners[name] = listener;
    },
    registration: { showNotification: (...shown: unknown[]) => shown },
    clients: { openWindow: (path: string) => path },
  };
  runInNewContext(readFileSync(new URL('../../public/push-worker.js', import.meta.url), 'utf8'), { self });
  expect(Object.keys(listeners)).toEqual(['push', 'notificationclick']);
  const waitUntil = (it: unknown) => done.push(it);
  const message = { title: 'Lobi is offline', body: 'Location: Otel.', language: 'en', path: '/devices/1', tag: 'n1' };
  listeners['push']?.({ data: { json: () => message }, waitUntil });
  const close = vi.fn();
  listeners['notificationclick']?.({ notification: { data: '/devices/1', close }, waitUntil });
  expect(close).toHaveBeenCalledOnce();
  const shown = { body: 'Location: Otel.', lang: 'en', tag: 'n1', icon: '/favicon.svg', data: '/devices/1' };
  expect(JSON.parse(JSON.stringify(done))).toEqual([['Lobi is offline', shown], '/devices/1']);
});
