import type { Tx } from '#db/tenant.ts';
import type { Context } from '#http/call.ts';
import { randomWord } from '#lib/ids.ts';
import { hashesOf } from '#lib/secrets.ts';
import { mailSecurityChange } from './security-mail.ts';
import { takeRecoveryCode } from './two-factor.queries.ts';

const count = 10;

const valueOf = (userId: string, code: string): string =>
  `recovery|${userId}|${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`;

/** New recovery codes: as they are shown once, and as they are stored. */
export function newRecoveryCodes(
  { app, tenant }: Pick<Context, 'app' | 'tenant'>,
  userId: string,
): { codes: string[]; hashes: Buffer[] } {
  const codes = Array.from({ length: count }, () => `${randomWord(5)}-${randomWord(5)}`);
  return { codes, hashes: codes.map(code => app.secrets.ofTenant(tenant.id).index(valueOf(userId, code))) };
}

/** Uses up a recovery code and tells its owner by mail; false when the user has no such code. */
export async function redeemRecoveryCode(tx: Tx, context: Context, userId: string, code: string): Promise<boolean> {
  const left = await takeRecoveryCode(
    tx,
    userId,
    hashesOf(context.app.secrets, context.tenant.id, valueOf(userId, code)),
  );
  if (left === undefined) return false;
  await mailSecurityChange(tx, context, userId, { change: 'recovery_code_used', detail: String(left) });
  return true;
}
