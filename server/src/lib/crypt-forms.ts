// The forms of crypt(3) for which no package is kept, and costly ones of the others. The system's libcrypt checks them (system-crypt.ts).

interface CryptForm {
  readonly name: string;
  readonly shape: RegExp;
  /** Whether a check takes at most about half a second and 64 MB. The groups of `shape` say it. */
  readonly isBounded: (groups: readonly string[]) => boolean;
  /** The hash of a long password, to see whether this system knows the form. */
  readonly sample: string;
}

export const samplePassword = 'a long password';

const letters = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const numberOf = (text: string): number =>
  [...text].reduce((sum, letter, at) => sum + letters.indexOf(letter) * 64 ** at, 0);

const mostMemory = 64 * 2 ** 20;
/** `n` is the power of two, as scrypt counts it. */
const fits = (n: number, r: number, p = 1): boolean => r > 0 && p > 0 && 128 * 2 ** n * r * p <= mostMemory;

/** A greater number is written with more letters, and costs too much. */
const yescrypt = /^\$g?y\$j([./0-9A-Za-j])([./0-9A-Za-j])\$[./0-9A-Za-z]{0,86}\$[./0-9A-Za-z]{43}$/;
const fitsYescrypt = ([n = '', r = '']: readonly string[]): boolean => fits(numberOf(n) + 1, numberOf(r) + 1);
const upTo =
  (most: number) =>
  ([rounds = '0']: readonly string[]): boolean =>
    Number(rounds) <= most;

export const cryptForms: readonly CryptForm[] = [
  {
    name: 'yescrypt',
    shape: new RegExp(yescrypt.source.replace('g?', '')),
    isBounded: fitsYescrypt,
    sample: '$y$j75$F5Jx5fExrKuPp53xLKQ..1$xUUMszL26YToAaeGq5A29H4BeYmjd7xl16hnmwlU8H/',
  },
  {
    name: 'gost-yescrypt',
    shape: new RegExp(yescrypt.source.replace('g?', 'g')),
    isBounded: fitsYescrypt,
    sample: '$gy$j75$F5Jx5fExrKuPp53xLKQ..1$Z5Frszps0JK959LYQCS60Aoo8BZ2ihISEwkUrhBmZm5',
  },
  {
    name: 'scrypt',
    shape: /^\$7\$([./0-9A-Za-z])([./0-9A-Za-z]{5})([./0-9A-Za-z]{5})[^$:\s]{0,64}\$[./0-9A-Za-z]{43}$/,
    isBounded: ([n = '', r = '', p = '']) => fits(numberOf(n), numberOf(r), numberOf(p)),
    sample: '$7$2/..../....abcdefgh$s8fPflhpE7oJGwWfnocy1UfUHn.A24lvMs1TFvrOs18',
  },
  {
    name: 'sunmd5',
    shape: /^\$md5(?:,rounds=(\d{1,10}))?\$[./0-9A-Za-z]{0,16}\${1,2}[./0-9A-Za-z]{22}$/,
    isBounded: upTo(100_000),
    sample: '$md5$abcdefgh$$Nq9SZfRPHoo5CWuUDy8co.',
  },
  {
    name: 'sha1crypt',
    shape: /^\$sha1\$(\d{1,10})\$[./0-9A-Za-z]{1,64}\$[./0-9A-Za-z]{28}$/,
    isBounded: upTo(500_000),
    sample: '$sha1$100$abcdefgh$QtE5p8WLUE2tvtLkdjoyBVOQR6ni',
  },
  {
    name: 'bsdicrypt',
    shape: /^_([./0-9A-Za-z]{4})[./0-9A-Za-z]{15}$/,
    isBounded: ([count = '']) => numberOf(count) <= 500_000,
    sample: '_/...CCCCBOOR2uJ.YjY',
  },
  {
    name: 'bigcrypt',
    shape: /^[./0-9A-Za-z]{13}(?:[./0-9A-Za-z]{11}){1,15}$/,
    isBounded: () => true,
    sample: 'abhqhiWnMDuHUtsfWbxI6TV2',
  },
  {
    name: 'bcrypt',
    shape: /^\$2[abxy]\$(\d\d)\$[./0-9A-Za-z]{53}$/,
    isBounded: upTo(13),
    sample: '$2x$04$abcdefghijklmnopqrstuunJ0u00SLiuoTA7qEltWZhxMUdJFZu5q',
  },
  {
    name: 'sha256crypt',
    shape: /^\$5\$(?:rounds=(\d{1,9})\$)?[^$:\n]{0,16}\$[./0-9A-Za-z]{43}$/,
    isBounded: upTo(500_000),
    sample: '$5$rounds=1000$abcdefgh$2yZklUYcNWvC7bURcD8nCQSILsQa5vt1MbLPHlm1sXB',
  },
  {
    name: 'sha512crypt',
    shape: /^\$6\$(?:rounds=(\d{1,9})\$)?[^$:\n]{0,16}\$[./0-9A-Za-z]{86}$/,
    isBounded: upTo(500_000),
    sample:
      '$6$rounds=1000$abcdefgh$jgUnaQHNvGYBIL7IuT1/xP1823AujK0wxSCLMobFI/nQr08VLZLBTAdpWsfzBahPNwVjlFiryMMHb5q.NOGeM.',
  },
];

const beginnings: readonly (readonly [begins: string, name: string])[] = [
  ['$y$', 'yescrypt'],
  ['$gy$', 'gost-yescrypt'],
  ['$7$', 'scrypt'],
  ['$sm3$', 'sm3crypt'],
  ['$md5', 'sunmd5'],
  ['$sha1$', 'sha1crypt'],
  ['$2', 'bcrypt'],
  ['$5$', 'sha256crypt'],
  ['$6$', 'sha512crypt'],
  ['_', 'bsdicrypt'],
];

/** The form of a hash, and whether it is well-formed and cheap enough to be checked. */
export function cryptFormOf(hash: string): { readonly name: string; readonly isBounded: boolean } {
  for (const { name, shape, isBounded } of cryptForms) {
    const found = shape.exec(hash);
    if (found) return { name, isBounded: isBounded(found.slice(1)) };
  }
  return { name: beginnings.find(([begins]) => hash.startsWith(begins))?.[1] ?? 'crypt', isBounded: false };
}
