import { isPassOf, readPass, writePass } from './guest-pass.ts';
import type { Secrets } from './secrets.ts';

/** The voucher of a QR code. */
export interface VoucherHolder {
  readonly tenantId: string;
  readonly voucherId: string;
}

const mark = 'v';
const holderOf = ({ tenantId, voucherId }: VoucherHolder) => ({ tenantId, visitorId: voucherId });
// A visitor's pass is sealed with its password. The prefix keeps the two apart.
const sealed = (code: string): string => `voucher:${code}`;

/** A text of 65 characters that stands for a voucher's code. It is the pass of a visitor with a mark in front. */
export const writeVoucherPass = (secrets: Secrets, holder: VoucherHolder, code: string): string =>
  mark + writePass(secrets, holderOf(holder), sealed(code));

/** Reads the voucher that a pass names; undefined for a text that is not the pass of a voucher. Checks no signature. */
export function readVoucherPass(text: string): VoucherHolder | undefined {
  const pass = text.length === 65 && text.startsWith(mark) ? readPass(text.slice(1)) : undefined;
  return pass && { tenantId: pass.tenantId, voucherId: pass.visitorId };
}

/** True for the pass that we wrote for this voucher. */
export const isVoucherPassOf = (secrets: Secrets, text: string, holder: VoucherHolder, code: string): boolean =>
  isPassOf(secrets, text.slice(1), holderOf(holder), sealed(code));
