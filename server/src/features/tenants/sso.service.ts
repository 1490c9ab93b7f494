import { type SsoChange, type SsoForm, type SsoProvider, type SsoSettings, ssoForm } from '@portico/contract/sso.ts';
import type { Configuration } from 'openid-client';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { announce } from '#features/notifications/public.ts';
import { countOne, createLimit } from '#features/throttle/public.ts';
import type { Actor } from '#http/actor.ts';
import { AppError, found, foundAgain, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { completeForm } from '#http/complete-form.ts';
import { discoverProvider } from '#lib/openid.ts';
import { panelOrigin } from '#lib/origins.ts';
import * as queries from './sso.queries.ts';
import { listDomains } from './tenants.queries.ts';

/** Where providers send browsers back: a screen of the panel. */
export const ssoPath = '/auth/sso';

const tries = createLimit('identity provider settings', 30);

function describe(row: queries.ProviderRow): SsoProvider {
  const { client_secret: _, ...shown } = row;
  return shown;
}

/** The audit log masks the secret. */
function audited(row: queries.ProviderRow) {
  const { updated_at: _, proven_at: __, ...settings } = row;
  return settings;
}

export async function getSso(tx: Tx, { app, tenant }: Context): Promise<SsoSettings> {
  const row = await queries.findProvider(tx);
  const own = new URL(panelOrigin(app.settings, tenant.slug));
  const hosts = (await listDomains(tx)).filter(it => it.verified_at).map(it => it.host);
  const origins = [own.hostname, ...hosts].map(host => Object.assign(new URL(own), { hostname: host }).origin);
  return { provider: row ? describe(row) : null, redirect_uris: origins.map(it => `${it}${ssoPath}`) };
}

/** The stored secret of an unchanged issuer, unless a new one was sent. */
function secretOf({ app }: Context, form: SsoForm, before: queries.ProviderRow | undefined): string {
  if (form.client_secret !== undefined) return form.client_secret;
  if (!before) throw invalid({ client_secret: 'required' });
  // Another issuer would receive it.
  const stored = before.issuer === form.issuer ? app.secrets.read(before.client_secret) : undefined;
  if (stored === undefined) throw invalid({ client_secret: 'secret_again' });
  return stored;
}

async function requireAnswer({ app }: Context, form: SsoForm, secret: string): Promise<void> {
  let config: Configuration;
  try {
    config = await discoverProvider(app.settings, { ...form, client_secret: secret });
  } catch (error) {
    const { cause, name } = error as Error;
    const words = name === 'PlainIssuer' ? 'https' : (cause instanceof Error ? cause : (error as Error)).message;
    throw invalid({ issuer: ['connection_failed', { words: words.slice(0, 200) }] });
  }
  if (!config.serverMetadata().authorization_endpoint) throw invalid({ issuer: 'invalid' });
}

/**
 * Whether a change leaves the provider as it is and asks for nothing more from it. Such a change must work while the provider
 * is away: it takes the enforcement off.
 */
const isKnown = (form: SsoForm, before: queries.ProviderRow | undefined): boolean =>
  before?.issuer === form.issuer &&
  before.client_id === form.client_id &&
  form.client_secret === undefined &&
  (before.enabled || !form.enabled) &&
  (before.enforced || !form.enforced);

async function requireKnown(tx: Tx, form: SsoForm): Promise<void> {
  const proven = await queries.provenAmong(tx, form.domains);
  const unproven = form.domains.find(it => !proven.includes(it));
  if (unproven) throw invalid({ domains: ['sso_domain', { name: unproven }] });
  const [wrong] = await queries.wrongMappings(tx, form.mappings);
  if (wrong !== undefined) throw invalid({ [`mappings.${wrong}.role_id`]: 'unknown' });
  if (form.emergency_user_id && !(await queries.canBeEmergency(tx, form.emergency_user_id)))
    throw invalid({ emergency_user_id: 'sso_emergency' });
}

/** The settings after a change. The secret is not part of what is stored here, and `secretOf` finds it. */
const changedForm = ({ language }: Context, before: queries.ProviderRow | undefined, change: SsoChange): SsoForm =>
  completeForm(ssoForm, { ...(before && describe(before)), ...change }, language);

export async function saveSso(context: Context, actor: Actor, change: SsoChange): Promise<SsoSettings> {
  const { app, inTenant, tenant } = context;
  const { old, form } = await inTenant(async tx => {
    const old = await queries.findProvider(tx);
    const form = changedForm(context, old, change);
    await requireKnown(tx, form);
    return { old, form };
  });
  const secret = secretOf(context, form, old);
  await countOne(app, [[tries, tenant.id]]);
  if (!isKnown(form, old)) await requireAnswer(context, form, secret);
  return inTenant(async tx => {
    await queries.lockProvider(tx);
    const before = await queries.findProvider(tx);
    if (before?.updated_at !== old?.updated_at) throw new AppError('conflict');
    await requireKnown(tx, form);
    const same = before?.issuer === form.issuer && before.client_id === form.client_id;
    const proven_at = same ? before.proven_at : null;
    if (form.enforced && !proven_at) throw invalid({ enforced: 'sso_untested' });
    const { mappings, client_secret: sent, emergency_user_id = null, ...fields } = form;
    const kept = before && sent === undefined ? before.client_secret : app.secrets.encrypt(secret);
    const provider = { ...fields, client_secret: kept, emergency_user_id, proven_at };
    await queries.putProvider(tx, { ...provider, domains: [...new Set(form.domains)] }, mappings);
    const after = found(await queries.findProvider(tx));
    await audit(tx, actor, {
      verb: before ? 'update' : 'create',
      subject: { type: 'sso', name: after.label },
      before: before && audited(before),
      after: audited(after),
    });
    await announce(tx, 'tenant', null);
    return getSso(tx, context);
  });
}

export async function deleteSso({ inTenant }: Context, actor: Actor): Promise<void> {
  await inTenant(async tx => {
    const row = found(await queries.findProvider(tx));
    foundAgain(await queries.deleteProvider(tx));
    await audit(tx, actor, { verb: 'delete', subject: { type: 'sso', name: row.label }, before: audited(row) });
    await announce(tx, 'tenant', null);
  });
}

/** Whether a user may sign in with a password or a passkey; else the name of the provider to use instead. */
export async function passwordsRefusedBy(tx: Tx, userId: string | null): Promise<string | undefined> {
  const row = await queries.findProvider(tx);
  return row?.enforced && row.emergency_user_id !== userId ? row.label : undefined;
}

/** Throws if the user is the emergency account, which must stay a tenant administrator while sign-on is enforced. */
export async function keepEmergency(tx: Tx, userId: string): Promise<void> {
  const row = await queries.findProvider(tx);
  if (row?.enforced && row.emergency_user_id === userId) throw new AppError('sso_emergency');
}
