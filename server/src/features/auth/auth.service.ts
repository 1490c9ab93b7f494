import { createHash } from 'node:crypto';
import type { AuthUser } from '@portico/contract/auth.ts';
import { permissions } from '@portico/contract/permissions.ts';
import type { Tx } from '#db/tenant.ts';
import { countDevices } from '#features/devices/public.ts';
import { createFirstLocation, reachesLocation } from '#features/locations/public.ts';
import { countPortals } from '#features/portals/public.ts';
import { type Actor, actorOf } from '#http/actor.ts';
import { AppError, invalid, notFound } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { newId, randomToken } from '#lib/ids.ts';
import * as queries from './auth.queries.ts';
import { hashPassword, passwordMatches, requirePasswordLength } from './passwords.ts';
import { createThrottle } from './throttle.ts';

const tokenDays = 30;
const perAccount = createThrottle(10);
const perAddress = createThrottle(100);

const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The actor behind the bearer token of a request: undefined without one, 401 when it is not good for this tenant. */
export async function authenticate({ request, inTenant }: Context): Promise<Actor | undefined> {
  const header = request.headers.authorization;
  if (!header) return undefined;
  const token = /^Bearer\s+([\w-]{20,200})$/i.exec(header)?.[1];
  const row = token && (await inTenant(tx => queries.findActor(tx, hashToken(token))));
  if (!row) throw new AppError('not_signed_in');
  if (row.stale) await inTenant(tx => queries.touchToken(tx, row.token_id, request.ip));
  return actorOf(row, request.ip);
}

async function startSession(tx: Tx, { request }: Context, userId: string): Promise<{ token: string; actor: Actor }> {
  const token = randomToken();
  const hash = hashToken(token);
  const userAgent = (request.headers['user-agent'] ?? '').slice(0, 255);
  await queries.insertToken(tx, { id: newId(), userId, hash, ip: request.ip, userAgent, days: tokenDays });
  const row = await queries.findActor(tx, hash);
  const actor = actorOf(row!, request.ip);
  const first = actor.memberships[0];
  if (actor.role !== 'member' || actor.activeLocationId || !first) return { token, actor };
  // A member always works in some location.
  await queries.setActiveLocation(tx, userId, first.locationId);
  return { token, actor: actorOf((await queries.findActor(tx, hash))!, request.ip) };
}

export async function login(context: Context, body: { email: string; password: string }) {
  const account = `${context.tenant.id}|${body.email}|${context.request.ip}`;
  perAddress.check(context.request.ip);
  perAccount.check(account);
  const credentials = await context.inTenant(tx => queries.findCredentials(tx, body.email));
  if (!(await passwordMatches(credentials?.password_hash, body.password)) || !credentials) {
    perAccount.failed(account);
    perAddress.failed(context.request.ip);
    throw new AppError('wrong_credentials');
  }
  perAccount.succeeded(account);
  return context.inTenant(async tx => {
    const { token, actor } = await startSession(tx, context, credentials.id);
    return { token, user: await describeUser(tx, actor) };
  });
}

/** The signed-in user with what the panel needs to decide what to show. */
export async function describeUser(tx: Tx, actor: Actor): Promise<AuthUser> {
  const user = await queries.getUser(tx, actor.userId);
  const membership = actor.memberships.find(m => m.locationId === actor.activeLocationId);
  const { locations, devices, portals } = {
    locations: await queries.listSwitchable(tx, actor),
    devices: await countDevices(tx, actor.scope),
    portals: await countPortals(tx, actor.scope),
  };
  return {
    ...user,
    hid: user.id,
    full_name: `${user.first_name} ${user.last_name}`.trim(),
    is_team_admin: actor.isTeamAdmin,
    can_create_location: actor.canCreateLocation,
    total_devices: devices,
    total_portals: portals,
    permissions: permissions.filter(key => actor.permissions.has(key)),
    locations,
    deviceIds: actor.role === 'member' && membership?.deviceIds ? [...membership.deviceIds] : null,
  };
}

export async function register(
  context: Context,
  body: {
    first_name: string;
    last_name: string;
    location_name?: string | undefined;
    email: string;
    phone_number: string;
    password: string;
  },
): Promise<void> {
  const { app, inTenant } = context;
  await inTenant(async tx => {
    await requirePasswordLength(tx, body.password, app.settings.PASSWORD_MIN);
    if (await queries.emailTaken(tx, body.email, null)) throw invalid({ email: 'taken' });
  });
  const passwordHash = await hashPassword(body.password);
  await inTenant(async tx => {
    if (await queries.emailTaken(tx, body.email, null)) throw invalid({ email: 'taken' });
    const id = newId();
    await queries.insertUser(tx, {
      id,
      email: body.email,
      firstName: body.first_name,
      lastName: body.last_name,
      phone: body.phone_number,
      passwordHash,
      role: 'member',
      language: context.language,
    });
    const locationId = await createFirstLocation(tx, app, { ownerId: id, name: body.location_name ?? '' });
    await queries.setActiveLocation(tx, id, locationId);
  });
}

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
    return describeUser(tx, actorOf((await queries.findActorById(tx, actor.tokenId))!, actor.ip));
  });
}
