import { placeOfNotice } from '@portico/contract/notice-places.ts';
import type { App } from '#lib/app.ts';
import { counter } from '#lib/metrics.ts';
import { type OutboundAnswer, outboundRequest } from '#lib/outbound-http.ts';
import { retryAfterMs } from '#lib/retry-after.ts';
import { encryptPush, type PushSubscriber, type VapidKeys, vapidHeader } from '#lib/web-push.ts';
import { panelLink } from '#mail/links.ts';
import { describe } from './notifications.service.ts';
import * as queries from './push.queries.ts';
import { pushKeys } from './push-keys.ts';

const leaseSeconds = 60;
const timeoutMs = 8000;
const atOnce = 40;
/** Growing pauses over about a day. Then what waited stays under the bell only. */
const pauses = [10, 60, 300, 1800, 7200, 21_600, 43_200];
const [shortestWait, longestWait] = [10, 3600];
/** When many devices fail at once, the rest of an hour's notices come as one message at its end. */
const messagesPerHour = 20;
/** How long the push service keeps a message for a browser that is off. */
const keptSeconds = 12 * 3600;
const maxLetters = 300;
/** Its address cannot be read any more. */
const gone = { status: 410, headers: {} };
const pushes = () =>
  counter('portico_push_total', 'Attempts to send a notification to a browser, by outcome', ['outcome']);

/** The message for the panel's worker (panel/public/push-worker.js), which shows it. */
export interface PushMessage {
  readonly title: string;
  readonly body: string;
  readonly language: string;
  /** The screen that a click opens. */
  readonly path: string;
  /** A message that arrives twice replaces itself. */
  readonly tag: string;
}

/** Sends one message to each browser with notices. A failure does not affect others. */
export async function sendPushes(app: App): Promise<void> {
  const due = await app.db.withSystem(tx => queries.claimDue(tx, leaseSeconds, atOnce));
  if (due.length === 0) return;
  const keys = await pushKeys(app);
  // Push services would refuse them. The user's list leaves them out already.
  await app.db.withSystem(tx => queries.deleteStrangers(tx, keys.publicKey));
  const failed = (browser: string) => (error: unknown) =>
    app.log.error({ err: error, browser }, 'a notification could not be pushed');
  await Promise.all(due.map(it => sendTo(app, keys, it).catch(failed(it.id))));
}

async function sendTo(app: App, keys: VapidKeys, it: queries.DueBrowser): Promise<void> {
  const waiting = await app.db.withTenant(it.tenant_id, async tx => {
    const until = await queries.fullUntil(tx, it.id, messagesPerHour);
    if (until) return void (await queries.waitUntil(tx, it.id, until));
    const { ids, notices } = await queries.readWaiting(tx, it.id);
    const [newest, ...others] = notices;
    if (newest) return { ids, message: messageOf([newest, ...others], path => screenOf(app, it, path)) };
    await queries.forgetNotices(tx, it.id, ids);
    await queries.markIdle(tx, it.id);
  });
  if (!waiting) return;
  const stored = app.secrets.read(it.subscription);
  const answer = stored === undefined ? gone : await post(app, keys, it, { ...waiting, stored });
  const { status } = answer ?? {};
  await app.db.withTenant(it.tenant_id, async tx => {
    if (status === 404 || status === 410) {
      await queries.deleteBrowser(tx, it.id);
      return pushes().inc({ outcome: 'ended' });
    }
    if (status !== undefined && status >= 200 && status < 300) {
      await queries.forgetNotices(tx, it.id, waiting.ids);
      await queries.markSent(tx, it.id);
      return pushes().inc({ outcome: 'sent' });
    }
    const { problem, pause } = judge(answer, it.attempts);
    if (pause === null) await queries.forgetNotices(tx, it.id, waiting.ids);
    await queries.markRefused(tx, it.id, problem, pause);
    pushes().inc({ outcome: pause === null ? 'failed' : 'postponed' });
  });
}

/** On the host where the browser subscribed, which may serve several tenants. */
function screenOf(app: App, { slug }: queries.DueBrowser, path: string): string {
  const { pathname, search } = new URL(panelLink(app.settings, slug, path));
  return pathname + search;
}

function messageOf(
  [newest, ...others]: readonly [queries.PushedNotice, ...queries.PushedNotice[]],
  screen: (path: string) => string,
): PushMessage {
  const { language } = newest;
  const { title, body } = describe(newest, language);
  const more = { en: `And ${others.length} more.`, tr: `Ve ${others.length} bildirim daha.` }[language];
  return {
    title: short(title),
    body: others.length > 0 ? `${short(body)}\n${more}` : short(body),
    language,
    path: screen((others.length === 0 && !newest.has_others && placeOfNotice(newest)) || '/notifications'),
    tag: newest.id,
  };
}

const short = (text: string): string => (text.length > maxLetters ? `${text.slice(0, maxLetters - 1)}…` : text);

/** The answer, or undefined without one. */
async function post(
  app: App,
  keys: VapidKeys,
  { slug }: queries.DueBrowser,
  { stored, message }: { stored: string; message: PushMessage },
): Promise<Answer> {
  const subscriber = JSON.parse(stored) as PushSubscriber;
  const contact = new URL(panelLink(app.settings, slug, '/'));
  const headers = {
    authorization: vapidHeader(keys, subscriber.endpoint, contact.origin),
    'content-type': 'application/octet-stream',
    'content-encoding': 'aes128gcm',
    ttl: String(keptSeconds),
    urgency: 'high',
  };
  const body = encryptPush(JSON.stringify(message), subscriber);
  try {
    return await outboundRequest({
      url: subscriber.endpoint,
      method: 'POST',
      headers,
      body,
      allowInside: app.settings.INTEGRATIONS_INSIDE,
      timeoutMs,
    });
  } catch (error) {
    app.log.warn({ err: error, service: new URL(subscriber.endpoint).hostname }, 'a push service is not reached');
    return undefined;
  }
}

type Answer = Pick<OutboundAnswer, 'status' | 'headers'> | undefined;

/** A busy service says when to come back. A refused message is not sent again. */
function judge(answer: Answer, attempts: number): { problem: 'unreachable' | 'refused'; pause: number | null } {
  const usual = pauses[attempts - 1] ?? null;
  if (!answer) return { problem: 'unreachable', pause: usual };
  const { status, headers } = answer;
  if (status !== 429 && status < 500) return { problem: 'refused', pause: null };
  const asked = retryAfterMs(headers['retry-after']);
  if (usual === null || asked === undefined) return { problem: 'refused', pause: usual };
  return { problem: 'refused', pause: Math.min(longestWait, Math.max(shortestWait, asked / 1000)) };
}
