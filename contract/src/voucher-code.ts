/**
 * Codes of vouchers: ten characters in two groups, such as `7KXF3-H9PMC`. The alphabet has one of each pair that looks alike,
 * and no vowels, so that no words appear. What a guest reads as the other one of a pair is folded. Without zod, so that
 * screens can use it.
 */

export const voucherAlphabet = '23456789CDFHJKMNPRTVWXY';
export const voucherLength = 10;

const lookAlikes: Readonly<Record<string, string>> = {
  S: '5',
  Z: '2',
  B: '8',
  G: '6',
  U: 'V',
  O: 'D',
  Q: 'D',
  '0': 'D',
};

/** A typed code as it is stored: capitals without separators. Undefined for a text that cannot be a code. */
export function readVoucherCode(typed: string): string | undefined {
  const code = [...typed.normalize('NFKC').toUpperCase()]
    .filter(it => !/[\s\p{P}]/u.test(it))
    .map(it => lookAlikes[it] ?? it)
    .join('');
  const isCode = code.length === voucherLength && [...code].every(it => voucherAlphabet.includes(it));
  return isCode ? code : undefined;
}

/** A stored code as people read it. */
export const shownVoucherCode = (code: string): string => `${code.slice(0, 5)}-${code.slice(5)}`;

/** A text within a `WIFI:` code: `\`, `;`, `,`, `:` and `"` are escaped. */
const escaped = (text: string): string => text.replace(/[\\;,:"]/g, '\\$&');

/** The content of a QR code that joins a Wi-Fi. Without a password the Wi-Fi is open. */
export const wifiCode = (ssid: string, password: string | null): string =>
  password ? `WIFI:T:WPA;S:${escaped(ssid)};P:${escaped(password)};;` : `WIFI:T:nopass;S:${escaped(ssid)};;`;
