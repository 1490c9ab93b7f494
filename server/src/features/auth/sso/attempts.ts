import type { ProviderRow } from '#features/tenants/public.ts';
import { servesPanel, ssoPath } from '#features/tenants/public.ts';
import { AppError } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { randomToken } from '#lib/ids.ts';
import type { Checks } from '#lib/openid.ts';
import { panelOrigin } from '#lib/origins.ts';
import { hashToken } from '../hash-token.ts';
import { hostCookie, setHostCookie } from '../host-cookie.ts';
import * as queries from './sso.queries.ts';

const minutes = 15;
const cookie = 'sso';

/** A sign-in in progress. */
export interface Attempt {
  readonly checks: Checks;
  /** The answer counts only for the provider that was asked. */
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
}

/**
 * The screen to which the provider sends the browser back, on the host name where the panel is open. Protocol and port are
 * those of the settings, so that a caller cannot choose them.
 */
export async function redirectUriOf({ app, tenant, request, inTenant }: Context): Promise<string> {
  const host = request.hostname.toLowerCase();
  if (!(await inTenant(tx => servesPanel(tx, app.settings, host)))) throw new AppError('sso_host');
  const seen = new URL(panelOrigin(app.settings, tenant.slug));
  seen.hostname = host;
  return `${seen.origin}${ssoPath}`;
}

/** Stores an attempt, and marks the browser with its cookie. */
export async function keepAttempt(context: Context, attempt: Attempt): Promise<void> {
  const { app, inTenant } = context;
  const ticket = randomToken();
  const packed = app.secrets.encrypt(JSON.stringify(attempt));
  await inTenant(tx => queries.insertAttempt(tx, { browser: hashToken(ticket), attempt: packed, minutes }));
  setHostCookie(context, { name: cookie, value: ticket, seconds: minutes * 60, path: '/v1/user/sso' });
}

/** Uses up the attempt of this browser. Undefined if it has none, or if the provider has changed since. */
export async function takeAttempt(context: Context, provider: ProviderRow): Promise<Attempt | undefined> {
  const { app, inTenant } = context;
  const ticket = hostCookie(context, cookie);
  const packed = ticket && (await inTenant(tx => queries.takeAttempt(tx, hashToken(ticket))));
  const plain = packed ? app.secrets.read(packed) : undefined;
  if (plain === undefined) return undefined;
  const attempt = JSON.parse(plain) as Attempt;
  return attempt.issuer === provider.issuer && attempt.clientId === provider.client_id ? attempt : undefined;
}
