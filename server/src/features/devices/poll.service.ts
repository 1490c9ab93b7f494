import { createHash } from 'node:crypto';
import type { Tx } from '#db/tenant.ts';
import { proveSource } from '#features/log-sources/public.ts';
import { AppError } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import { randomToken } from '#lib/ids.ts';
import { panelOrigin } from '#lib/origins.ts';
import { plainAddress } from '#lib/plain-address.ts';
import { driverOf } from '#routers/drivers.ts';
import { plainMessage } from '#routers/router-control.ts';
import * as commands from './commands.queries.ts';
import { pushAll } from './commands.service.ts';
import { markSeen, requireMessageAuthenticator } from './radius.queries.ts';
import * as queries from './router-link.queries.ts';

const maxAttempts = 12;
/** More never fit into one answer. */
const maxCommands = 20;

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Where routers ask for their commands. */
export const pollUrl = (app: App, slug: string, nas: string): string =>
  `${panelOrigin(app.settings, slug)}/v1/device/poll/${nas}`;

/** A new token for a router's script; only its hash is kept. */
export async function makePollToken(tx: Tx, deviceId: string): Promise<string> {
  const token = randomToken();
  await queries.addPollToken(tx, deviceId, hashOf(token));
  return token;
}

/** The router that asks; whoever has no token of its learns nothing, not even whether it exists. */
async function routerOf({ app, request }: Context, nas: string) {
  const token = request.headers['x-portico-token'];
  if (typeof token !== 'string' || !/^[\w-]{20,100}$/.test(token)) throw new AppError('not_signed_in');
  const hash = hashOf(token);
  const device = await app.db.withSystem(tx => queries.findByPollToken(tx, nas, hash));
  const control = device && driverOf(device.brand).control;
  if (!control) throw new AppError('not_signed_in');
  return { ...device, control, token, hash };
}

/** What a router shall do, as a script. It counts as sent: the router answers when it has run it, or asks again. */
export async function poll(
  call: Context,
  { nas, version }: { nas: string; version: string | undefined },
): Promise<string> {
  const { app } = call;
  const device = await routerOf(call, nas);
  const url = `${pollUrl(app, device.slug, nas)}/answer`;
  return app.db.withTenant(device.tenant_id, async tx => {
    const known = version && /^[\w.+-]+$/.test(version) ? version : null;
    const fresh = await queries.markPolled(tx, device.id, { hash: device.hash, version: known });
    // It may have been reset or replaced since.
    if (fresh) await pushAll(tx, { deviceId: device.id, userId: null });
    // Not its address: this may be a proxy's, and RADIUS knows where to send a Disconnect.
    await markSeen(tx, device.id, { at: new Date() });
    if (known && driverOf(device.brand).sendsMessageAuthenticator?.(known))
      await requireMessageAuthenticator(tx, device.id);
    // Log lines count from here: the token proves the router, and a proxy is trusted for the address by a setting only.
    await proveSource(tx, device.id, { address: plainAddress(call.request.ip), proof: 'poll' });
    await commands.giveUp(tx, device.id, maxAttempts);
    const waiting = await commands.waitingForPoll(tx, device.id, maxCommands);
    const { script, count } = device.control.pollScript(
      waiting.map(({ id, wish }) => ({ id, command: wish })),
      { url, token: device.token, version: known },
    );
    const sent = waiting.slice(0, count).map(({ id }) => id);
    if (sent.length) await commands.takeForPoll(tx, device.id, sent);
    return script;
  });
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** An id, and of a failed one the place where it stopped, from routers that know no more. */
const told = new RegExp(`^(${uuid})(?:\\.(\\d{1,2}))?$`);
const toldWhy = new RegExp(`^(${uuid}) (.+)$`);
const parts = (text: string, by: string, form: RegExp) =>
  text.split(by).flatMap(part => {
    const [, id, more] = form.exec(part) ?? [];
    return id ? [{ id, more }] : [];
  });

/** What became of the commands that a router fetched, and why in its own words where it has any. */
export async function answer(
  call: Context,
  nas: string,
  said: { done: string; failed: string; words: string },
): Promise<void> {
  const device = await routerOf(call, nas);
  const done = parts(said.done, ',', told).map(({ id }) => ({ id, state: 'done' as const, words: '' }));
  const words = new Map(parts(said.words, '\n', toldWhy).map(({ id, more = '' }) => [id, plainMessage(more)]));
  const failures = parts(said.failed, ',', told);
  await call.app.db.withTenant(device.tenant_id, async tx => {
    const wishes = new Map(
      (
        await commands.wishesOf(
          tx,
          device.id,
          failures.map(it => it.id),
        )
      ).map(({ id, wish }) => [id, wish]),
    );
    const failed = failures.map(({ id, more }) => {
      const wish = wishes.get(id);
      const line = wish && more !== undefined ? device.control.pollLine(wish, Number(more)) : undefined;
      return {
        id,
        state: 'failed' as const,
        words: words.get(id) ?? (line ? plainMessage(`stopped at: ${line}`) : ''),
      };
    });
    await commands.answerPolled(tx, device.id, [...done, ...failed]);
  });
}
