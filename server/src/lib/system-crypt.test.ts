import { afterEach, expect, test } from 'vitest';
import { cryptFormOf, cryptForms, samplePassword } from './crypt-forms.ts';
import { CryptAway, createFormFinder, perl, systemCrypt } from './system-crypt.ts';

const path = perl.path;
afterEach(() => {
  perl.path = path;
});
const yescrypt = '$y$j75$F5Jx5fExrKuPp53xLKQ..1$xUUMszL26YToAaeGq5A29H4BeYmjd7xl16hnmwlU8H/';

test('this system knows every form', async () => {
  expect([...(await createFormFinder()())]).toEqual(cryptForms.map(it => it.name));
});

test.each(cryptForms.map(it => [it.name, it.sample] as const))(
  '%s is the hash of its password only',
  async (name, sample) => {
    expect(cryptFormOf(sample)).toEqual({ name, isBounded: true });
    expect(await systemCrypt(sample, samplePassword, 'tenant')).toBe(sample);
    for (const wrong of ['', 'A long password', `${samplePassword}\n`, `x\n${samplePassword}`, 'ü'.repeat(20)])
      expect(await systemCrypt(sample, wrong, 'tenant'), wrong).not.toBe(sample);
  },
);

test('a password with a NUL or of many letters is not right', async () => {
  for (const wrong of [`${samplePassword}\0`, `${samplePassword}\0 and more`, 'x'.repeat(100_000)])
    expect(await systemCrypt(yescrypt, wrong, 'tenant')).toBeUndefined();
});

test('letters beyond ASCII are UTF-8', async () => {
  const made = '$2b$04$abcdefghijklmnopqrstuuyx2n0Zzopyr9QuYTMCfOJJOj526QVoC';
  expect(await systemCrypt(made, 'pässwörd', 'tenant')).toBe(made);
});

test('an unknown form and a missing program say nothing about the password', async () => {
  await expect(systemCrypt('$nothing$', samplePassword, 'tenant')).rejects.toThrow(CryptAway);
  perl.path = '/nowhere/perl';
  await expect(systemCrypt(yescrypt, samplePassword, 'tenant')).rejects.toThrow(CryptAway);
});

test('a form that could not be asked for is asked for again', async () => {
  const findForms = createFormFinder();
  perl.path = '/nowhere/perl';
  expect(await findForms()).toEqual(new Set());
  perl.path = path;
  expect((await findForms()).size).toBe(cryptForms.length);
});

test('a check that would take too much time or memory is ended', async () => {
  for (const costly of [`$y$jFT$F5Jx5fExrKuPp53xLKQ..1$${'a'.repeat(43)}`, `$2b$20$${'a'.repeat(53)}`]) {
    expect(cryptFormOf(costly).isBounded).toBe(false);
    await expect(systemCrypt(costly, samplePassword, 'tenant')).rejects.toThrow(CryptAway);
  }
}, 60_000);

test('a rush of one tenant is refused at once, and another tenant has its turn', async () => {
  const rush = Array.from({ length: 200 }, () => systemCrypt(yescrypt, samplePassword, 'rush'));
  const other = systemCrypt(yescrypt, samplePassword, 'other');
  const ended = await Promise.allSettled(rush);
  expect(ended.filter(it => it.status === 'fulfilled').length).toBeLessThanOrEqual(30);
  expect(ended.at(-1)).toMatchObject({ status: 'rejected', reason: expect.any(CryptAway) });
  expect(await other).toBe(yescrypt);
});
