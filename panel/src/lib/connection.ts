import { onlineManager } from '@tanstack/react-query';
import i18next from 'i18next';
import { useSyncExternalStore } from 'react';
import { withTimeout } from '#lib/with-timeout.ts';

/*
 * Whether the server can be reached. While it cannot, TanStack Query pauses the queries, screens keep their data, and a
 * banner says so. When it answers again, paused and stale queries run.
 */

const retryMs = 3000;
const answerMs = 5000;
/** The statuses with which proxies answer for a server that does not. */
const gatewayErrors = [502, 503, 504];

const answers = (): Promise<boolean> =>
  fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(answerMs) }).then(
    response => response.ok,
    () => false,
  );

let checking: Promise<boolean> | undefined;

/** Asks the server whether it answers. */
async function check(): Promise<boolean> {
  checking ??= answers();
  const isReachable = await checking;
  checking = undefined;
  if (!isReachable) onlineManager.setOnline(false);
  return isReachable;
}

/** `fetch` that notices when the server cannot be reached. */
export async function watchedFetch(url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, init);
    const isOurs = response.headers.get('content-type')?.includes('json');
    if (gatewayErrors.includes(response.status) && !isOurs) void check();
    return response;
  } catch (error) {
    if (!init.signal?.aborted) void check();
    throw error;
  }
}

/** Loads again what the browser does not: style sheets and texts that did not arrive. */
function loadMissing(texts: Set<string>): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'))
    if (!link.sheet) link.replaceWith(link.cloneNode());
  if (texts.size > 0) void i18next.reloadResources(undefined, [...texts]);
  texts.clear();
}

/** Asks again and again while the server cannot be reached. */
export function watchConnection(): void {
  addEventListener('beforeunload', () => {
    leftAt = performance.now();
  });
  const missingTexts = new Set<string>();
  i18next.on('failedLoading', (_language, namespace) => {
    missingTexts.add(namespace);
    void check();
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const retry = () => {
    timer = setTimeout(async () => {
      if (await answers()) onlineManager.setOnline(true);
      else retry();
    }, retryMs);
  };
  onlineManager.subscribe(isOnline => {
    clearTimeout(timer);
    if (isOnline) loadMissing(missingTexts);
    else retry();
  });
}

const isConnected = () => onlineManager.isOnline();
export const useIsConnected = (): boolean => useSyncExternalStore(onlineManager.subscribe, isConnected);

const connected = (): Promise<void> =>
  new Promise(resolve => {
    if (isConnected()) return resolve();
    const stop = onlineManager.subscribe(isOnline => {
      if (!isOnline) return;
      stop();
      resolve();
    });
  });

/** A screen was not loaded, because the server cannot be reached. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** How long (ms) a page that is being left may still be there. The user can also decide to stay. */
const leavingMs = 3000;
let leftAt = Number.NEGATIVE_INFINITY;

/** The browser ends the requests of a page that is being left. That is no error, so the page waits for its end. */
const leave = async (): Promise<void> => {
  if (performance.now() - leftAt < leavingMs) await new Promise(resolve => setTimeout(resolve, leavingMs));
};

/** Loads a screen. */
export async function loadScreen<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await withTimeout(load());
  } catch (error) {
    await leave();
    throw (await check()) ? error : new Unreachable();
  }
}

/** Loads a part of a screen. If the server cannot be reached, it waits and tries once more; the screen stays as it is. */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await withTimeout(load());
  } catch (error) {
    await leave();
    if (await check()) throw error;
    await connected();
    return withTimeout(load());
  }
}
