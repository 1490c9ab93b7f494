import { createHash } from 'node:crypto';
import type { OpenidConnection } from '@portico/contract/integration-kinds.ts';
import type { Configuration } from 'openid-client';
import type { App } from '#lib/app.ts';
import {
  answersTo,
  beginOpenid,
  type Checks,
  claimEmail,
  claimText,
  finishOpenid,
  knownProvider,
} from '#lib/openid.ts';
import { reportFailure, reportRecovery } from '../health.ts';
import { findOpenid } from '../integrations.queries.ts';
import { problemOf } from '../problems.ts';
import { redirectUri } from './redirect-uri.ts';

interface At {
  readonly tenantId: string;
  readonly slug: string;
  readonly locationId: string;
  readonly integrationId: string;
}

export interface SignedInAccount {
  /** Identifies the account permanently, even if its e-mail address changes. */
  readonly externalId: string;
  readonly name: string;
  readonly email: string | null;
}

async function providerOf(app: App, at: At): Promise<Configuration | undefined> {
  const row = await app.db.withTenant(at.tenantId, tx => findOpenid(tx, at.locationId, at.integrationId));
  if (!row) return undefined;
  try {
    return await knownProvider(app.settings, JSON.parse(app.secrets.decrypt(row.connection)) as OpenidConnection);
  } catch (error) {
    await app.db.withTenant(at.tenantId, tx => reportFailure(tx, row, problemOf(error)));
    return undefined;
  }
}

/**
 * The sign-in address and the values that must come back. Undefined if the provider is unreachable or belongs to
 * another location.
 */
export async function beginSocial(app: App, at: At): Promise<{ url: string; checks: Checks } | undefined> {
  const config = await providerOf(app, at);
  if (!config) return undefined;
  return beginOpenid(config, redirectUri(app, at.slug));
}

/** The account that signed in; undefined if the sign-in failed. `query` is that of the callback. */
export async function finishSocial(
  app: App,
  at: At,
  query: string,
  checks: Checks,
): Promise<SignedInAccount | undefined> {
  const config = await providerOf(app, at);
  if (!config) return undefined;
  const which = await app.db.withTenant(at.tenantId, tx => findOpenid(tx, at.locationId, at.integrationId));
  if (!which) return undefined;
  // The guest cancelled, or the answer belongs to another request. Neither is a failure of the provider.
  if (!answersTo(query, checks)) return undefined;
  try {
    const claims = await finishOpenid(config, {
      redirectUri: redirectUri(app, at.slug),
      query,
      checks,
      isComplete: it => Boolean(it['email']),
    });
    // An address that the provider did not verify may be another person's. Some providers write the word, such as Amazon Cognito.
    const isUnverified = [false, 'false', 0, '0'].includes(claims['email_verified'] as string);
    const email = isUnverified ? null : claimEmail(claims);
    await app.db.withTenant(at.tenantId, tx => reportRecovery(tx, which));
    return {
      externalId: createHash('sha256').update(`${claims.iss}|${claims.sub}`).digest('hex').slice(0, 32),
      name: claimText(claims['name'], 120) ?? email ?? claims.sub.slice(0, 60),
      email,
    };
  } catch (error) {
    app.log.warn(
      { integration: at.integrationId, why: (error as Error).message },
      'sign-in with an OpenID provider failed',
    );
    const { code } = error as { code?: string };
    // A used, expired or invented code is the guest's problem. Any other failure is the connection's.
    if ((error as { error?: string }).error !== 'invalid_grant' && code !== 'OAUTH_INVALID_RESPONSE')
      await app.db.withTenant(at.tenantId, tx => reportFailure(tx, which, problemOf(error)));
    return undefined;
  }
}
