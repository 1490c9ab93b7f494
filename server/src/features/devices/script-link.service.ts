import { createHash } from 'node:crypto';
import type { MikrotikScriptForm } from '@portico/contract/device-setup.ts';
import type { Actor } from '#http/actor.ts';
import { notFound } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { randomToken } from '#lib/ids.ts';
import { panelOrigin } from '#lib/origins.ts';
import * as queries from './script-link.queries.ts';
import { scriptOf, setupOf } from './setup.service.ts';

const minutes = 30;
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The script, and a one-line command with which a router fetches and runs it from a one-time link. */
export async function linkScript(call: Context & { actor: Actor }, id: string, form: MikrotikScriptForm) {
  const { secrets, settings } = call.app;
  const { value: setup } = await setupOf(call, id, 'script');
  const script = await scriptOf(call, id, form);
  const token = randomToken();
  const kept = { deviceId: id, hash: hashOf(token), script: secrets.encrypt(script), minutes };
  const { expires_at } = await call.inTenant(tx => queries.storeScript(tx, kept));
  const url = `${panelOrigin(settings, call.tenant.slug)}/v1/device/script/${token}`;
  return { script, command: setup.importLine(url), undo: setup.undo(settings.NETFLOW_PORT), url, expires_at };
}

/** The script of a one-time link. A second request gets a 404. */
export async function fetchScript({ app }: Context, token: string): Promise<string> {
  const row = await app.db.withSystem(tx => queries.redeemScript(tx, hashOf(token)));
  const script = row && app.secrets.read(row.script);
  if (script === undefined) throw notFound();
  return script;
}
