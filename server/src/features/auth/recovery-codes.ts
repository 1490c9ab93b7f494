import type { Tx } from '#db/tenant.ts';
import type { Context } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import { randomWord } from '#lib/ids.ts';
import { mailSecurityChange } from './security-mail.ts';
import { takeRecoveryCode } from './two-factor.queries.ts';

const count = 10;

const hashOf = ({ secrets }: Pick<App, 'secrets'>, userId: string, code: string): Buffer =>
  secrets.index(`recovery|${userId}|${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`);

/** New recovery codes: as they are shown once, and as they are stored. */
export function newRecoveryCodes(app: Pick<App, 'secrets'>, userId: string): { codes: string[]; hashes: Buffer[] } {
  const codes = Array.from({ length: count }, () => `${randomWord(5)}-${randomWord(5)}`);
  return { codes, hashes: codes.map(code => hashOf(app, userId, code)) };
}

/** Uses up a recovery code and tells its owner by mail; false when the user has no such code. */
export async function redeemRecoveryCode(tx: Tx, context: Context, userId: string, code: string): Promise<boolean> {
  const left = await takeRecoveryCode(tx, userId, hashOf(context.app, userId, code));
  if (left === undefined) return false;
  await mailSecurityChange(tx, context, userId, { change: 'recovery_code_used', detail: String(left) });
  return true;
}
