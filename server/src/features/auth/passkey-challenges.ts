import { isIP } from 'node:net';
import { servesPanel } from '#features/tenants/public.ts';
import { countOne, createLimit, ofNetwork } from '#features/throttle/public.ts';
import { AppError } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { randomToken } from '#lib/ids.ts';
import { panelOrigin } from '#lib/origins.ts';
import { hashToken } from './hash-token.ts';
import { hostCookie, setHostCookie } from './host-cookie.ts';
import * as queries from './passkey-challenges.queries.ts';

/** A challenge works once, for one purpose and in the browser that got its cookie. */

const minutes = 5;
export const challengeMs = minutes * 60_000;
const perNetwork = createLimit('passkey challenges', 100);

export interface Place {
  /** The relying party of WebAuthn. */
  readonly host: string;
  /** The origin that browsers name in the signed data. */
  readonly origin: string;
}

/**
 * Where the caller sees the panel. Throws 409 when that name is not the tenant's, or no name. Only the name is taken from
 * the request: protocol and port are those of the settings, so that a caller cannot choose the accepted origin.
 */
export async function placeOf({ app, tenant, request, inTenant }: Context): Promise<Place> {
  const host = request.hostname.toLowerCase();
  const isName = URL.parse(`http://${request.host}`)?.hostname === host && !isIP(host);
  if (!isName || !(await inTenant(tx => servesPanel(tx, app.settings, host)))) throw new AppError('passkey_host');
  const seen = new URL(panelOrigin(app.settings, tenant.slug));
  seen.hostname = host;
  return { host, origin: seen.origin };
}

/** One cookie per purpose, so that a sign-in in another tab takes nothing away. */
const cookieOf = (purpose: queries.Purpose): string => `passkey_${purpose}`;

/** Stores a new challenge and marks the browser with its cookie. */
export async function newChallenge(
  context: Context,
  it: { purpose: queries.Purpose; userId: string | null; host: string },
): Promise<string> {
  const { app, inTenant, request } = context;
  await countOne(app, ofNetwork(perNetwork, request.ip));
  const challenge = randomToken();
  const ticket = randomToken();
  const { purpose, userId, host } = it;
  await inTenant(tx =>
    queries.insertChallenge(tx, { browser: hashToken(ticket), purpose, user_id: userId, host, challenge, minutes }),
  );
  setHostCookie(context, { name: cookieOf(purpose), value: ticket, seconds: minutes * 60, path: '/v1/' });
  return challenge;
}

/** Uses up the challenge of this browser. Undefined without a valid challenge for this host. */
export async function takeChallenge(
  context: Context,
  purpose: queries.Purpose,
  host: string,
): Promise<queries.Challenge | undefined> {
  const ticket = hostCookie(context, cookieOf(purpose));
  if (!ticket) return undefined;
  const taken = await context.inTenant(tx => queries.takeChallenge(tx, hashToken(ticket), purpose));
  return taken?.host === host ? taken : undefined;
}
