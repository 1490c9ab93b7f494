import type { BrowserContext, Route } from '@playwright/test';

/** The browser neither keeps nor sends cookies of this origin. Redirects are followed without the route. */
export const refuseCookies = (context: BrowserContext, origin: string): Promise<unknown> =>
  context.route(
    url => url.origin === origin,
    route => passOn(route, route.request().url(), {}),
  );

/** Without the cookies of the browser, and without those of the answer. */
export async function passOn(route: Route, url: string, more: Record<string, string>): Promise<void> {
  const request = route.request();
  const sent = request.headers();
  const kept = ['content-type', 'origin', 'accept-language', 'user-agent'].flatMap(name =>
    sent[name] ? [[name, sent[name]]] : [],
  );
  const body = request.postDataBuffer();
  const answer = await fetch(url, {
    method: request.method(),
    redirect: 'manual',
    headers: { ...Object.fromEntries(kept), ...more },
    ...(body && { body: new Uint8Array(body) }),
  });
  const { 'set-cookie': _, 'content-encoding': _encoding, ...headers } = Object.fromEntries(answer.headers);
  await route.fulfill({ status: answer.status, headers, body: Buffer.from(await answer.arrayBuffer()) });
}
