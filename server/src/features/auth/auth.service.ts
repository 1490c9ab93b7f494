import type { AuthUser } from '@portico/contract/auth.ts';
import bowser from 'bowser';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { reachesLocation } from '#features/locations/public.ts';
import { type Actor, actorOf } from '#http/actor.ts';
import { AppError, found, notFound } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { callerNetwork } from '#lib/caller-network.ts';
import { newId, randomToken } from '#lib/ids.ts';
import { isInside } from '#lib/outbound.ts';
import * as queries from './auth.queries.ts';
import { describeUser } from './describe.service.ts';
import { bearerOf, hashToken } from './hash-token.ts';
import { passwordMatches } from './passwords.ts';
import { createThrottle } from './throttle.ts';
import { countCall } from './token-limit.ts';
import { requireSecondFactor } from './two-factor.service.ts';

const tokenDays = 30;
const perAccount = createThrottle(10);
const perNetwork = createThrottle(100);
/** What one may still do while the tenant waits for a second factor. */
const enrolling = new Set([
  'GET /v1/panel/user/me',
  'POST /v1/user/logout',
  'POST /v1/panel/user/two-factor',
  'POST /v1/panel/user/two-factor/confirm',
]);

/** Sign-ins, tokens, invitations and what one is told are nobody's business but their owner's. */
const ownAccount = /^\/v1\/(oauth\/|panel\/user\/(token|invites)|panel\/notification)/;

/** The actor behind the bearer token of a request: undefined without one, 401 when it is not good for this tenant. */
export async function authenticate({ app, request, inTenant, read }: Context): Promise<Actor | undefined> {
  if (!request.headers.authorization) return undefined;
  const token = bearerOf(request);
  const hash = token && hashToken(token);
  const row = hash && (await read(tx => queries.findActor(tx, hash)));
  if (!row) throw new AppError('not_signed_in');
  const { url, method, config } = request.routeOptions;
  const isPublic = (config as { access?: string }).access === 'public';
  if (row.scopes) {
    countCall(row.token_id, app.settings.TOKEN_RATE_LIMIT);
    // It works for its owner, and does not manage the owner's account.
    const { access } = config as { access?: string };
    if (access === 'signed-in' && (method !== 'GET' || ownAccount.test(url ?? ''))) throw new AppError('not_allowed');
  }
  if (row.must_enroll && !isPublic && !enrolling.has(`${String(method)} ${url}`))
    throw new AppError('two_factor_setup');
  if (row.stale) await inTenant(tx => queries.touchToken(tx, row.token_id, request.ip));
  return actorOf(row, request.ip);
}

/** What a person recognises a sign-in by, such as `Chrome, Windows`. */
function deviceName(userAgent: string): string {
  if (!userAgent) return '';
  const { browser, os } = bowser.parse(userAgent);
  return [browser.name, os.name].filter(Boolean).join(', ').slice(0, 80);
}

/** Makes a token for a user who has shown who they are. */
export async function startSession(
  tx: Tx,
  { request }: Context,
  userId: string,
): Promise<{ token: string; actor: Actor }> {
  const token = randomToken();
  const hash = hashToken(token);
  const userAgent = (request.headers['user-agent'] ?? '').slice(0, 255);
  const name = deviceName(userAgent);
  await queries.insertToken(tx, { id: newId(), userId, hash, name, ip: request.ip, userAgent, days: tokenDays });
  const row = (await queries.findActor(tx, hash))!;
  const actor = actorOf(row, request.ip);
  const first = actor.memberships[0];
  if (actor.role !== 'member' || actor.activeLocationId || !first) return { token, actor };
  // A member always works in some location.
  await queries.setActiveLocation(tx, userId, first.locationId);
  return { token, actor: actorOf({ ...row, active_location_id: first.locationId }, request.ip) };
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly code?: string | undefined;
}

/** The user whose e-mail, password and (where one is on) second factor these are; throws for any other. */
export async function checkCredentials(context: Context, body: Credentials): Promise<string> {
  const network = callerNetwork(context.request.ip);
  const account = `${context.tenant.id}|${body.email}|${network}`;
  perNetwork.check(network);
  const end = perAccount.begin(account);
  try {
    const credentials = await context.inTenant(tx => queries.findCredentials(tx, body.email));
    if (!(await passwordMatches(credentials?.password_hash, body.password)) || !credentials) {
      perAccount.failed(account);
      perNetwork.failed(network);
      throw new AppError('wrong_credentials');
    }
    await requireSecondFactor(context, credentials.id, body.code);
    perAccount.succeeded(account);
    return credentials.id;
  } finally {
    end();
  }
}

export async function login(context: Context, body: Credentials): Promise<{ token: string; user: AuthUser }> {
  const userId = await checkCredentials(context, body);
  return context.inTenant(async tx => {
    const { token, actor } = await startSession(tx, context, userId);
    await audit(tx, actor, { verb: 'sign-in', subject: { type: 'user', id: userId, name: body.email } });
    return { token, user: await describeUser(tx, actor, context.language) };
  });
}

const networkOf = (ip: string | null, own: string | null) =>
  ip === null ? null : ip === own ? ('here' as const) : isInside(ip) ? ('local' as const) : ('elsewhere' as const);

/** One's own sign-ins, the last used first. */
export const listSignIns = async (tx: Tx, actor: Actor) =>
  (await queries.listTokens(tx, actor.userId, actor.tokenId)).map(row => ({
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

/** Makes another location the active team; `all` leaves it, for those who may look across theirs. */
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
