import type { AuthUser } from '@portico/contract/auth.ts';
import { backgroundHeader } from '@portico/contract/headers.ts';
import type { PasskeyAnswer } from '@portico/contract/passkey-shapes.ts';
import type { FastifyRequest } from 'fastify';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { reachesLocation } from '#features/locations/public.ts';
import { passwordsRefusedBy } from '#features/tenants/public.ts';
import {
  type Attempt,
  beginAttempt,
  type Counted,
  createCallLimit,
  createLimit,
  ofNetwork,
} from '#features/throttle/public.ts';
import { type Actor, actorOf } from '#http/actor.ts';
import { AppError, found, notFound } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { callerNetwork } from '#lib/caller-network.ts';
import { deviceName } from '#lib/device-name.ts';
import { newId, randomToken } from '#lib/ids.ts';
import { isInside } from '#lib/outbound.ts';
import * as queries from './auth.queries.ts';
import { describeUser } from './describe.service.ts';
import { bearerOf, hashToken } from './hash-token.ts';
import { knownBrowser, rememberBrowser } from './known-browser.ts';
import { findPasskey, trustAlone } from './passkeys.queries.ts';
import { passwordMatches } from './passwords.ts';
import { mailSecurityChange } from './security-mail.ts';
import { requireSecondFactor } from './two-factor.service.ts';

const tokenDays = 30;
/** Rights that the identity provider takes away are gone at the next sign-in, so that comes soon. */
const providerDays = 1;
const countCall = createCallLimit('personal token');
const day = 24 * 60;
export const perNetwork = createLimit('sign-in network', 100);
const perAccount = createLimit('sign-in account', 10);
/** Slow, because these guesses come from many networks. Browsers that signed in before have a limit of their own. */
const perAccountAnywhere = createLimit('sign-in account anywhere', 30, day);
const perBrowser = createLimit('sign-in browser', 10);
/** Endpoints that a user may still call before they have set up the second factor that the tenant requires. */
const enrolling = new Set([
  'GET /v1/panel/user/me',
  'POST /v1/user/logout',
  'POST /v1/panel/user/two-factor',
  'POST /v1/panel/user/two-factor/confirm',
  'GET /v1/panel/user/passkey',
  'POST /v1/panel/user/passkey/options',
  'POST /v1/panel/user/passkey',
]);

/** Sign-ins, tokens, passkeys, invitations, notices and how they arrive: personal tokens may not read them. */
const ownAccount = /^\/v1\/(oauth\/|panel\/user\/(token|passkey|invites|notification)|panel\/notification)/;

/**
 * Whether an unused tab sent the request by itself: the stream of events, and the panel's own refreshes. Such a request
 * must not keep the sign-in from idling out.
 */
const isBackground = ({ routeOptions, headers }: FastifyRequest): boolean =>
  routeOptions.url === '/v1/panel/events' || headers[backgroundHeader] !== undefined;

/**
 * The actor of the bearer token of a request. Undefined without a token; 401 when it is not valid for this tenant. Asks the
 * primary: on a replica a revoked token would live on until the replica hears of it.
 */
export async function authenticate({ app, tenant, request, inTenant }: Context): Promise<Actor | undefined> {
  if (!request.headers.authorization) return undefined;
  const token = bearerOf(request);
  const hash = token && hashToken(token);
  const row =
    hash && (await app.db.readTenant(tenant.id, tx => queries.findActor(tx, hash, app.settings.SESSION_IDLE_MINUTES)));
  if (!row) throw new AppError('not_signed_in');
  const { url, method, config } = request.routeOptions;
  const isPublic = (config as { access?: string }).access === 'public';
  if (row.scopes) {
    await countCall(app, row.token_id, app.settings.TOKEN_RATE_LIMIT);
    // A personal token works for its owner. It does not manage the owner's account.
    const { access } = config as { access?: string };
    if (access === 'signed-in' && (method !== 'GET' || ownAccount.test(url ?? ''))) throw new AppError('not_allowed');
  }
  if (row.must_enroll && !isPublic && !enrolling.has(`${String(method)} ${url}`))
    throw new AppError('two_factor_setup');
  // A tenant that moves is read only.
  if (row.stale && !isBackground(request) && !tenant.leaving)
    await inTenant(tx => queries.touchToken(tx, row.token_id, request.ip));
  return actorOf(row, request.ip);
}

/** The proof that was checked before a sign-in: the password, a passkey, or both; or the answer of the identity provider. */
interface Proof {
  readonly userId: string;
  readonly passwordHash?: string | null;
  readonly passkeyId?: string | undefined;
  readonly byProvider?: boolean;
}

/**
 * Throws when a new password was set or the passkey was removed since the proof was checked; locks the user. A passkey that was
 * used together with the password signs in alone from then on.
 */
async function requireStillProven(tx: Tx, { userId, passwordHash, passkeyId }: Proof): Promise<void> {
  const user = await queries.lockUser(tx, userId);
  if (!user || (passwordHash !== undefined && user.password_hash !== passwordHash))
    throw new AppError('wrong_credentials');
  if (passkeyId === undefined) return;
  const passkey = await findPasskey(tx, userId, passkeyId);
  if (!passkey) throw new AppError('passkey_refused');
  if (passwordHash !== undefined) await trustAlone(tx, passkeyId);
  else if (!passkey.signs_in_alone) throw new AppError('passkey_after_password');
}

/** The most sign-ins of an account at once. Few people have so many browsers, and a thief of the password cannot fill a table. */
const maxSignIns = 100;

/** Creates a sign-in for a user whose credentials were checked. */
export async function startSession(tx: Tx, context: Context, proof: Proof): Promise<{ token: string; actor: Actor }> {
  const { app, request } = context;
  const { userId, byProvider = false } = proof;
  await requireStillProven(tx, proof);
  if (!byProvider) await requirePasswordsAllowed(tx, userId);
  const token = randomToken();
  const hash = hashToken(token);
  const userAgent = (request.headers['user-agent'] ?? '').slice(0, 255);
  const name = deviceName(userAgent);
  await queries.insertToken(tx, {
    id: newId(),
    userId,
    hash,
    name,
    ip: request.ip,
    userAgent,
    days: byProvider ? providerDays : tokenDays,
    byProvider,
  });
  await queries.endOldestSignIns(tx, userId, maxSignIns);
  await noticeBrowser(tx, context, userId, name);
  const row = (await queries.findActor(tx, hash, app.settings.SESSION_IDLE_MINUTES))!;
  const actor = actorOf(row, request.ip);
  const first = actor.memberships[0];
  if (actor.role !== 'member' || actor.activeLocationId || !first) return { token, actor };
  // A member always works in some location.
  await queries.setActiveLocation(tx, userId, first.locationId);
  return { token, actor: actorOf({ ...row, active_location_id: first.locationId }, request.ip) };
}

/** Throws when the account signs in through the identity provider only. */
async function requirePasswordsAllowed(tx: Tx, userId: string | null): Promise<void> {
  const label = await passwordsRefusedBy(tx, userId);
  if (label !== undefined) throw new AppError('sso_required', { values: { label } });
}

/** Remembers the browser. Tells the user of a sign-in from an unknown one, except of the first sign-in of all. */
async function noticeBrowser(tx: Tx, context: Context, userId: string, device: string): Promise<void> {
  const { email } = await queries.getAddress(tx, userId);
  const wasUsed = await queries.markSignedIn(tx, userId);
  if (wasUsed && !knownBrowser(context, email)) {
    const detail = [device, context.request.ip].filter(Boolean).join(', ');
    await mailSecurityChange(tx, context, userId, { change: 'new_sign_in', detail });
  }
  rememberBrowser(context, email);
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly code?: string | undefined;
  readonly passkey?: PasskeyAnswer | undefined;
}

/** Checks e-mail, password and, where it is on, the second factor; returns what it checked or throws. */
export const checkCredentials = (context: Context, body: Credentials): Promise<Proof> =>
  checkPassword(context, body, async ({ id, password_hash }, attempt) => {
    const passkeyId = await requireSecondFactor(context, id, body);
    await attempt.succeeded(perAccount, perBrowser);
    return { userId: id, passwordHash: password_hash, passkeyId };
  });

/** Checks e-mail and password, then does the work with the user. Failures count until an attempt succeeds. */
export async function checkPassword<T>(
  context: Context,
  body: Pick<Credentials, 'email' | 'password'>,
  work: (user: queries.Credentials, attempt: Attempt) => Promise<T>,
): Promise<T> {
  const attempt = await beginAttempt(context.app, signInLimits(context, body.email));
  try {
    const credentials = await context.inTenant(tx => queries.findCredentials(tx, body.email));
    const matches = await passwordMatches(credentials?.password_hash, body.password);
    const refusedBy = await context.inTenant(tx => passwordsRefusedBy(tx, (matches && credentials?.id) || null));
    // The same answer to right and wrong passwords of every account, so that it tells neither them nor the emergency account.
    if (refusedBy !== undefined) {
      await attempt.failed();
      throw new AppError('sso_required', { values: { label: refusedBy } });
    }
    if (!matches || !credentials) {
      await attempt.failed();
      throw new AppError('wrong_credentials');
    }
    return await work(credentials, attempt);
  } finally {
    await attempt.end();
  }
}

function signInLimits(context: Context, email: string): Counted[] {
  const network = callerNetwork(context.request.ip);
  const account = `${context.tenant.id}|${email}`;
  const browser = knownBrowser(context, email);
  return [
    ...ofNetwork(perNetwork, context.request.ip),
    [perAccount, `${account}|${network}`],
    browser ? [perBrowser, browser] : [perAccountAnywhere, account],
  ];
}

export async function login(context: Context, body: Credentials): Promise<{ token: string; user: AuthUser }> {
  const proof = await checkCredentials(context, body);
  return context.inTenant(async tx => {
    const { token, actor } = await startSession(tx, context, proof);
    await audit(tx, actor, { verb: 'sign-in', subject: { type: 'user', id: proof.userId, name: body.email } });
    return { token, user: await describeUser(tx, actor, context.language) };
  });
}

const networkOf = (ip: string | null, own: string | null) =>
  ip === null ? null : ip === own ? ('here' as const) : isInside(ip) ? ('local' as const) : ('elsewhere' as const);

/** The caller's own sign-ins that have not idled out, the last used first. */
export const listSignIns = async (tx: Tx, actor: Actor, idleMinutes: number) =>
  (await queries.listTokens(tx, actor, idleMinutes)).map(row => ({
    ...row,
    network: networkOf(row.ip, actor.ip),
  }));

/** Ends one of a user's own sign-ins. */
export async function endSignIn(tx: Tx, actor: Actor, tokenId: string): Promise<void> {
  const ended = found(await queries.deleteToken(tx, actor.userId, tokenId));
  await audit(tx, actor, { verb: 'end', subject: { type: 'sign-in', id: ended.id, name: ended.name } });
}

/** The same actor after its memberships or its team changed. */
export const actorAgain = async (tx: Tx, actor: Actor): Promise<Actor> =>
  actorOf((await queries.findActorById(tx, actor.tokenId))!, actor.ip);

/** Makes another location the active team. `all` leaves the active team; members cannot do that. */
export async function changeTeam(context: Context, actor: Actor, locationId: string): Promise<AuthUser> {
  return context.inTenant(async tx => {
    if (locationId === 'all') {
      if (actor.role === 'member') throw new AppError('not_allowed');
      await queries.setActiveLocation(tx, actor.userId, null);
    } else {
      if (!(await reachesLocation(tx, actor, locationId))) throw notFound();
      await queries.setActiveLocation(tx, actor.userId, locationId);
    }
    return describeUser(tx, await actorAgain(tx, actor), context.language);
  });
}
