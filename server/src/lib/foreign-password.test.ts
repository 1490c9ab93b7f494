import { createHash, pbkdf2Sync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { cryptForms } from './crypt-forms.ts';
import * as foreign from './foreign-password.ts';
import { clearPassword, provePassword as prove, sealHash } from './guest-password.ts';
import { createSecrets } from './secrets.ts';

const { isPasswordAttribute } = foreign;
const allForms = new Set(cryptForms.map(it => it.name));
const readForeignPassword = (attribute: string, value: string, known: ReadonlySet<string> = allForms) =>
  foreign.readForeignPassword(attribute, value, known);
const hasForeignHash = (known: string, typed: string) => foreign.hasForeignHash(known, typed, 'tenant');
const provePassword = (
  ...[secrets, sealed, typed]: Parameters<typeof prove> extends [...infer A, string] ? A : never
) => prove(secrets, sealed, typed, 'tenant');

const hash = (algorithm: string, text: string, salt = '') =>
  Buffer.concat([createHash(algorithm).update(text).update(salt).digest(), Buffer.from(salt)]);
const pbkdf2 = (iterations: number) => {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(iterations);
  const salt = Buffer.from('salt');
  const made = pbkdf2Sync('password', salt, Math.min(iterations, 1000), 32, 'sha256');
  return `HMACSHA2+256:${count.toString('base64')}:${salt.toString('base64')}:${made.toString('base64')}`;
};

// The values of crypt(3) are by `openssl passwd`, `perl -e crypt` and bcryptjs; that of NT is the well-known one.
const password: readonly (readonly [string, string])[] = [
  ['MD5-Password', hash('md5', 'password').toString('hex')],
  ['MD5-Password', hash('md5', 'password').toString('base64')],
  ['SMD5-Password', hash('md5', 'password', 'salt').toString('base64')],
  ['SHA-Password', hash('sha1', 'password').toString('hex').toUpperCase()],
  ['SHA1-Password', hash('sha1', 'password').toString('base64')],
  ['SSHA-Password', hash('sha1', 'password', 'salt').toString('base64')],
  ['SSHA1-Password', hash('sha1', 'password', 'saltsalt').toString('hex')],
  ['SHA2-Password', hash('sha256', 'password').toString('hex')],
  ['SHA2-Password', hash('sha512', 'password').toString('hex')],
  ['SHA2-224-Password', hash('sha224', 'password').toString('hex')],
  ['SHA2-256-Password', hash('sha256', 'password').toString('base64')],
  ['SHA2-384-Password', hash('sha384', 'password').toString('hex')],
  ['SHA2-512-Password', hash('sha512', 'password').toString('hex')],
  ['SSHA2-224-Password', hash('sha224', 'password', 'salt').toString('hex')],
  ['SSHA2-256-Password', hash('sha256', 'password', 'salt').toString('base64')],
  ['SSHA2-384-Password', hash('sha384', 'password', 'salt').toString('hex')],
  ['SSHA2-512-Password', hash('sha512', 'password', 'salt').toString('hex')],
  ['SHA3-256-Password', hash('sha3-256', 'password').toString('hex')],
  ['NT-Password', '8846F7EAEE8FB117AD06BDD830B7586C'],
  ['NT-Password', '0x8846f7eaee8fb117ad06bdd830b7586c'],
  ['Crypt-Password', '$1$abcdefgh$G//4keteveJp0qb8z2DxG/'],
  ['Crypt-Password', '$5$rounds$FnMNMNvvhUSAmRDX0XznATLkIRS/yM5bucM7.gJdHg4'],
  [
    'Crypt-Password',
    '$6$abcdefgh$yVfUwsw5T.JApa8POvClA1pQ5peiq97DUNyXCZN5IrF.BMSkiaLQ5kvpuEm/VQ1Tvh/KV2TcaWh8qinoW5dhA1',
  ],
  ['Crypt-Password', 'abJnggxhB/yWI'],
  ['Crypt-Password', '$2y$05$Vf2Oa8q9rmp06DjGjgw6ue.SD.zpM0ej.YBavIaUxGMXNtzpBDlVG'],
  ['NS-MTA-MD5-Password', '8b9a023c0dab9ffb0cb04c28762a49bdabcdefghijklmnopqrstuvwxyz012345'],
  ['PBKDF2-Password', pbkdf2(1000)],
  ['Password-With-Header', `{SSHA}${hash('sha1', 'password', 'salt').toString('base64')}`],
  ['Password-With-Header', `{md5}${hash('md5', 'password').toString('hex')}`],
  ['Password-With-Header', '{x-nthash}8846F7EAEE8FB117AD06BDD830B7586C'],
  ['Password-With-Header', Buffer.from('{crypt}abJnggxhB/yWI').toString('base64')],
  ['User-Password', `{SHA256}${hash('sha256', 'password').toString('base64')}`],
];

describe('a hash of FreeRADIUS', () => {
  test.each(password)('%s %s is the password', async (attribute, value) => {
    expect(isPasswordAttribute(attribute)).toBe(true);
    const read = readForeignPassword(attribute, value);
    expect(read).toHaveProperty('hash');
    const known = (read as { hash: string }).hash;
    expect(await hasForeignHash(known, 'password')).toBe(true);
    for (const wrong of ['', 'Password', 'passwor', known]) expect(await hasForeignHash(known, wrong)).toBe(false);
  });

  test('of crypt(3) is that of letters beyond ASCII', async () => {
    const read = readForeignPassword('Crypt-Password', '$1$abcdefgh$6qENbeetgn0exf.OCTQaP0');
    expect(await hasForeignHash((read as { hash: string }).hash, 'pässword')).toBe(true);
  });

  test('of LAN Manager is that of the first fourteen letters in capitals', async () => {
    // By `smbencrypt` of FreeRADIUS.
    const is = (value: string, typed: string) =>
      hasForeignHash((readForeignPassword('LM-Password', value) as { hash: string }).hash, typed);
    expect(await is('E52CAC67419A9A224A3B108F3FA6CB6D', 'password')).toBe(true);
    expect(await is('E52CAC67419A9A224A3B108F3FA6CB6D', 'passwor')).toBe(false);
    expect(await is('624AAC413795CDC1FF17365FAF1FFE89', 'pass-1')).toBe(false);
    for (const typed of ['Secret-pass-14', 'SECRET-PASS-14 and more'])
      expect(await is('E0D9DF6B58C4A1452DAAEC51709F0F16', typed)).toBe(true);
  });

  test.each([
    ['Cleartext-Password', 'p'],
    ['User-Password', 'p'],
    ['Password', 'p'],
    ['Password-With-Header', '{cleartext}p'],
    ['Password-With-Header', '{clear}p'],
  ])('%s %s is a clear password', (attribute, value) => {
    expect(readForeignPassword(attribute, value)).toEqual({ clear: 'p' });
  });

  test.each([
    ['LM-Password', '44EFCE164AB921CA'],
    ['NS-MTA-MD5-Password', 'f8b4eac9051e4e8f0f7f8f9f8f7f6f5f'],
    ['MD5-Password', 'too short'],
    ['MD5-Password', hash('sha1', 'x').toString('hex')],
    ['SSHA-Password', hash('sha1', 'no salt').toString('hex')],
    ['Crypt-Password', '!locked'],
    ['Crypt-Password', '*'],
    ['Crypt-Password', `$6$rounds=999999999$abcdefgh$${'a'.repeat(86)}`],
    ['Crypt-Password', `$2y$31$${'a'.repeat(53)}`],
    // Costly ones.
    ['Crypt-Password', `$y$jFT$F5Jx5fExrKuPp53xLKQ..1$${'a'.repeat(43)}`],
    ['Crypt-Password', `$gy$j9z5$F5Jx5fExrKuPp53xLKQ..1$${'a'.repeat(43)}`],
    ['Crypt-Password', `$7$zzzzzzzzzzzabcdefgh$${'a'.repeat(43)}`],
    ['Crypt-Password', `$md5,rounds=4294967295$abcdefgh$$${'a'.repeat(22)}`],
    ['Crypt-Password', `$sha1$4294967295$abcdefgh$${'a'.repeat(28)}`],
    ['Crypt-Password', `_zzzz${'a'.repeat(15)}`],
    // Their salts would end the line that the program reads.
    ['Crypt-Password', `$y$j9T$F5Jx\n$${'a'.repeat(43)}`],
    ['Crypt-Password', `$7$CU..../....F5\nJx$${'a'.repeat(43)}`],
    ['PBKDF2-Password', pbkdf2(4_000_000_000)],
    ['Password-With-Header', 'no header'],
    ['Password-With-Header', '{who}knows'],
    ['Cleartext-Password', ''],
  ])('%s %s cannot be checked', (attribute, value) => {
    expect(readForeignPassword(attribute, value)).toHaveProperty('unusable');
  });

  test.each([
    ['$y$j9T$F5Jx5fExrKuPp53xLKQ..1$MgVgJIl/kFYfKkE2l4AYXZ9Uh3NaGQl4SX3pJvZhQh9', 'yescrypt'],
    ['$gy$j9T$salt$hash', 'gost-yescrypt'],
    ['$7$CU..../....salt$hash', 'scrypt'],
    ['$sm3$salt$hash', 'sm3crypt'],
    ['_J9..CCCCXBrJUJV154M', 'bsdicrypt'],
    [`$2y$31$${'a'.repeat(53)}`, 'bcrypt'],
    ['!locked', 'crypt'],
  ])('%s is refused by its name where the system does not know it', (value, unusable) => {
    expect(readForeignPassword('Crypt-Password', value, new Set())).toEqual({ unusable });
  });

  test('is told from other attributes', () => {
    for (const other of ['CHAP-Password', 'Auth-Type', 'MS-CHAP-Password', 'Tunnel-Password', 'Simultaneous-Use'])
      expect(isPasswordAttribute(other), other).toBe(false);
    for (const one of ['Password', 'user-password', 'Password-With-Header', 'NS-MTA-MD5-Password', 'LM-Password'])
      expect(isPasswordAttribute(one), one).toBe(true);
  });

  test('is kept apart from passwords, and becomes one with the first right guess', async () => {
    const secrets = createSecrets('a key of the tests');
    const read = readForeignPassword('NT-Password', '8846F7EAEE8FB117AD06BDD830B7586C') as { hash: string };
    const sealed = sealHash(secrets, read.hash);
    expect(clearPassword(secrets, sealed)).toBeUndefined();
    const guess = (text: string | undefined) => ({ password: text, is: (clear: string) => clear === text });
    expect(await provePassword(secrets, sealed, guess('wrong'))).toEqual({ right: false });
    for (const it of [read.hash, `\0${read.hash}`])
      expect(await provePassword(secrets, sealed, guess(it))).toEqual({ right: false });
    expect(await provePassword(secrets, sealed, guess(undefined)), 'CHAP').toEqual({ right: false });
    const { right, keep } = await provePassword(secrets, sealed, guess('password'));
    expect([right, clearPassword(secrets, keep!)]).toEqual([true, 'password']);
    expect(await provePassword(secrets, keep!, guess('password'))).toEqual({ right: true });
  });
});
