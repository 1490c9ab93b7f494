import type { AuthUser } from '@portico/contract/auth.ts';
import type { Configuration } from 'openid-client';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { findProvider, markProven, type ProviderRow } from '#features/tenants/public.ts';
import { beginAttempt, countOne, createLimit, ofNetwork } from '#features/throttle/public.ts';
import type { Actor } from '#http/actor.ts';
import { AppError, found } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import { answersTo, beginOpenid, type Claims, finishOpenid, knownProvider } from '#lib/openid.ts';
import { perNetwork, startSession } from '../auth.service.ts';
import { describeUser } from '../describe.service.ts';
import { accountOf, applyRights, requireDomain } from './accounts.service.ts';
import { type Attempt, keepAttempt, redirectUriOf, takeAttempt } from './attempts.ts';
import { domainOf, groupsOf, personOf } from './person.ts';
import * as queries from './sso.queries.ts';

const begins = createLimit('single sign-on', 100);

const configurationOf = async ({ settings, secrets }: App, row: ProviderRow): Promise<Configuration> =>
  knownProvider(settings, { ...row, client_secret: secrets.decrypt(row.client_secret) });

async function enabledProvider({ inTenant }: Context): Promise<ProviderRow> {
  const row = await inTenant(findProvider);
  if (!row?.enabled) throw new AppError('sso_off');
  return row;
}

/** The address of the provider's sign-in page. */
export async function beginSso(context: Context): Promise<{ url: string }> {
  const { app, request } = context;
  await countOne(app, ofNetwork(begins, request.ip));
  const provider = await enabledProvider(context);
  const redirectUri = await redirectUriOf(context);
  const begun = await configurationOf(app, provider)
    .then(config => beginOpenid(config, redirectUri))
    .catch((error: unknown) => {
      app.log.warn({ tenant: context.tenant.slug, err: error }, 'the identity provider does not answer');
      return undefined;
    });
  if (!begun) throw new AppError('sso_unreachable', { values: { label: provider.label } });
  const { issuer, client_id: clientId } = provider;
  await keepAttempt(context, { checks: begun.checks, issuer, clientId, redirectUri });
  return { url: begun.url };
}

/** The claims of the person who signed in at the provider. */
async function claimsOf(context: Context, provider: ProviderRow, it: Attempt & { query: string }): Promise<Claims> {
  const { app, tenant } = context;
  if (!answersTo(it.query, it.checks)) throw new AppError('sso_failed');
  try {
    return await finishOpenid(await configurationOf(app, provider), {
      ...it,
      isComplete: claims =>
        Boolean(claims['email']) && (provider.mappings.length === 0 || provider.groups_claim in claims),
    });
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    app.log.warn({ tenant: tenant.slug, why: message, code }, 'a sign-in through the identity provider failed');
    throw new AppError('sso_failed');
  }
}

/** Signs in with the answer of the provider. */
export async function finishSso(context: Context, query: string): Promise<{ token: string; user: AuthUser }> {
  const attempt = await beginAttempt(context.app, ofNetwork(perNetwork, context.request.ip));
  try {
    const provider = await enabledProvider(context);
    const asked = await takeAttempt(context, provider);
    const claims = await (asked
      ? claimsOf(context, provider, { ...asked, query: query.replace(/^\?/, '') })
      : Promise.reject(new AppError('sso_failed'))
    ).catch(async (error: unknown) => {
      await attempt.failed();
      throw error;
    });
    return await enter(context, provider, claims);
  } finally {
    await attempt.end();
  }
}

async function enter(context: Context, asked: ProviderRow, claims: Claims) {
  const { inTenant, language } = context;
  const { label } = asked;
  const groups = groupsOf(claims, asked.groups_claim);
  if (groups === undefined) throw new AppError('sso_no_rights', { values: { label } });
  const person = personOf(claims, groups);
  const session = await inTenant(async tx => {
    const provider = await findProvider(tx);
    // Someone changed the settings while the person was at the provider.
    if (!provider?.enabled || provider.issuer !== asked.issuer || provider.client_id !== asked.client_id)
      throw new AppError('sso_failed');
    await requireDomain(tx, provider, domainOf(claims, person.email));
    const userId = await accountOf(tx, context, provider, person);
    // The rights are taken away even if nothing is left to sign in for.
    if (!(await applyRights(tx, context, provider, { userId, groups }))) return undefined;
    const { token, actor } = await startSession(tx, context, { userId, byProvider: true });
    const user = await describeUser(tx, actor, language);
    const subject = { type: 'user' as const, id: userId, name: user.email };
    await audit(tx, actor, { verb: 'sign-in', subject, after: { provider: label } });
    await markProven(tx);
    return { token, user };
  });
  if (!session) throw new AppError('sso_no_rights', { values: { label } });
  return session;
}

/** Separates an account from its account at the provider, for example when an address went to another person. */
export async function unlink(tx: Tx, actor: Actor, id: string): Promise<void> {
  const { user_id, issuer, email } = found(await queries.deleteLink(tx, id));
  await queries.endProviderSignIns(tx, user_id);
  await audit(tx, actor, { verb: 'delete', subject: { type: 'sso', id: user_id, name: email }, before: { issuer } });
}
