import { createHash } from 'node:crypto';

const letters = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const md5 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** The bytes of each group of four letters, in the order that FreeBSD chose. */
const groups = [
  [0, 6, 12],
  [1, 7, 13],
  [2, 8, 14],
  [3, 9, 15],
  [4, 10, 5],
] as const;

/** The MD5 form of crypt(3), `$1$salt$hash`. No maintained package has it. `setting` holds the salt; what follows it is ignored. */
export function md5Crypt(password: string, setting: string): string {
  const salt = Buffer.from(setting.split('$')[2]!.slice(0, 8));
  const key = Buffer.from(password);
  const magic = Buffer.from('$1$');
  const inner = md5(key, salt, key);
  const parts: Uint8Array[] = [key, magic, salt];
  for (let left = key.length; left > 0; left -= 16) parts.push(inner.subarray(0, Math.min(16, left)));
  for (let bits = key.length; bits > 0; bits >>= 1) parts.push(bits & 1 ? Buffer.of(0) : key.subarray(0, 1));
  let sum = md5(...parts);
  for (let round = 0; round < 1000; round++) {
    const odd = round % 2 === 1;
    sum = md5(odd ? key : sum, ...(round % 3 ? [salt] : []), ...(round % 7 ? [key] : []), odd ? sum : key);
  }
  const encode = (value: number, length: number) =>
    Array.from({ length }, (_, at) => letters[(value >> (6 * at)) & 63]).join('');
  const text = groups.map(([a, b, c]) => encode((sum[a]! << 16) | (sum[b]! << 8) | sum[c]!, 4)).join('');
  return `$1$${salt.toString()}$${text}${encode(sum[11]!, 2)}`;
}
