import { timingSafeEqual } from 'node:crypto';
import type { Secrets } from '#lib/secrets.ts';

/** Where a guest stands and where it goes back to: travels with the page, signed, so that no server has to remember it. */
export interface GuestState {
  readonly nas: string;
  readonly mac: string;
  readonly ip: string;
  readonly login: string;
  readonly orig: string;
  /** What the guest has typed and shown so far, where a method takes more than one step. */
  readonly so?: Readonly<Record<string, string>>;
}

type Packed = [
  nas: string,
  mac: string,
  ip: string,
  login: string,
  orig: string,
  at: number,
  so: Record<string, string> | null,
];

const maxAgeSeconds = 12 * 3600;
/** A mail may lie for some days. */
const mailedSeconds = 7 * 86_400;
type Purpose = 'sign-in' | 'code' | 'survey' | 'full' | 'online' | 'data' | 'data-mail';

const signature = (secrets: Secrets, purpose: Purpose, payload: string) => secrets.sign(`guest ${purpose}:${payload}`);

/** As text for a form's hidden field or an address; good for twelve hours and one purpose. */
export function packState(secrets: Secrets, purpose: Purpose, state: GuestState, now = Date.now()): string {
  const fields = [state.nas, state.mac, state.ip, state.login, state.orig, Math.floor(now / 1000), state.so];
  const payload = Buffer.from(JSON.stringify(fields)).toString('base64url');
  return `${payload}.${signature(secrets, purpose, payload)}`;
}

/** Undoes packState: undefined for what we did not sign for this purpose, or too long ago. */
export function unpackState(
  secrets: Secrets,
  purpose: Purpose,
  text: string,
  now = Date.now(),
): GuestState | undefined {
  const [payload = '', given = ''] = text.split('.', 2);
  const right = Buffer.from(signature(secrets, purpose, payload));
  const bytes = Buffer.from(given);
  if (bytes.length !== right.length || !timingSafeEqual(bytes, right)) return undefined;
  const [nas, mac, ip, login, orig, at, so] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Packed;
  if (now / 1000 - at > (purpose === 'data-mail' ? mailedSeconds : maxAgeSeconds)) return undefined;
  return { nas, mac, ip, login, orig, ...(so && { so }) };
}
