import { createHash, pbkdf2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import bcrypt from 'bcryptjs';
import md4 from 'js-md4';
import desCrypt from 'unix-crypt-td-js';
import { encrypt as shaCrypt } from 'unixcrypt';
import { cryptFormOf } from './crypt-forms.ts';
import { lmHash } from './lm-hash.ts';
import { md5Crypt } from './md5-crypt.ts';
import { systemCrypt } from './system-crypt.ts';

// Password hashes of other programs, as FreeRADIUS knows them (its module rlm_pap). The stored texts begin with the name of the
// form in braces. `{ssha1}` is followed by base64, `{crypt}` by the text of crypt(3).

const slow = promisify(pbkdf2);

/** A hash of a guessed password must not keep the process busy, so hashes that take longer are not accepted. */
const limits = { shaRounds: 20_000, bcryptCost: 12, iterations: 600_000 } as const;

interface Digest {
  readonly algorithm: string;
  readonly bytes: number;
}
const digests: ReadonlyMap<string, Digest> = new Map(
  Object.entries({
    md5: { algorithm: 'md5', bytes: 16 },
    sha1: { algorithm: 'sha1', bytes: 20 },
    'sha2-224': { algorithm: 'sha224', bytes: 28 },
    'sha2-256': { algorithm: 'sha256', bytes: 32 },
    'sha2-384': { algorithm: 'sha384', bytes: 48 },
    'sha2-512': { algorithm: 'sha512', bytes: 64 },
    'sha3-224': { algorithm: 'sha3-224', bytes: 28 },
    'sha3-256': { algorithm: 'sha3-256', bytes: 32 },
    'sha3-384': { algorithm: 'sha3-384', bytes: 48 },
    'sha3-512': { algorithm: 'sha3-512', bytes: 64 },
  }),
);

/** The forms by the names of the attributes of FreeRADIUS without `-Password`, and by the headers of LDAP. */
const alsoCalled: ReadonlyMap<string, string> = new Map(
  Object.entries({
    cleartext: 'clear',
    user: 'clear',
    '': 'clear',
    base64_md5: 'md5',
    sha: 'sha1',
    ssha: 'ssha1',
    sha224: 'sha2-224',
    sha256: 'sha2-256',
    sha384: 'sha2-384',
    sha512: 'sha2-512',
    ssha224: 'ssha2-224',
    ssha256: 'ssha2-256',
    ssha384: 'ssha2-384',
    ssha512: 'ssha2-512',
    nthash: 'nt',
    'x-nthash': 'nt',
    'x- orclntv': 'nt',
    'x- orcllmv': 'lm',
    'x-pbkdf2': 'pbkdf2',
  }),
);

/** SHA2-Password and SSHA2-Password do not tell the length of the digest; the value does. */
const unsized = new Set(['sha2', 'ssha2', 'sha3', 'ssha3']);

/** A known password, the hash of one, or a form that no check of a typed password can use. */
export type ForeignPassword = { readonly clear: string } | { readonly hash: string } | { readonly unusable: string };

/** Hexadecimal or base64, at least `least` bytes; what it is, is found as FreeRADIUS finds it. */
function bytesOf(text: string, least: number): Buffer | undefined {
  const plain = text.trim().replace(/^0x/i, '');
  if (plain.length >= least * 2 && plain.length % 2 === 0 && /^[0-9a-f]+$/i.test(plain))
    return Buffer.from(plain, 'hex');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(plain)) return undefined;
  const bytes = Buffer.from(plain, 'base64');
  return bytes.length >= least ? bytes : undefined;
}

function readDigest(form: string, value: string): ForeignPassword {
  const salted = !digests.has(form) && form.startsWith('s') && (form === 'smd5' || form.startsWith('ssha'));
  const family = form === 'smd5' ? 'md5' : salted ? form.slice(1) : form;
  const bytes = bytesOf(value, 16);
  if (!bytes) return { unusable: form };
  const name = unsized.has(form)
    ? [...digests.keys()].find(it => it.startsWith(`${family}-`) && digests.get(it)!.bytes === bytes.length)
    : family;
  const digest = name === undefined ? undefined : digests.get(name);
  if (!digest || name === undefined) return { unusable: form };
  if (salted ? bytes.length <= digest.bytes || bytes.length > digest.bytes + 64 : bytes.length !== digest.bytes)
    return { unusable: form };
  return { hash: `{${salted ? 's' : ''}${name}}${bytes.toString('base64')}` };
}

/** Whether a package checks this hash of crypt(3), in this process. */
function isCheckedHere(value: string): boolean {
  const sha = /^\$[56]\$(?:rounds=(\d{1,9})\$)?[^$:\n]{0,16}\$[./A-Za-z0-9]{43,86}$/.exec(value);
  if (sha) return Number(sha[1] ?? 0) <= limits.shaRounds;
  const bcrypted = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(value);
  if (bcrypted) return Number(bcrypted[1]) <= limits.bcryptCost;
  return /^(?:\$1\$[^$:\n]{0,8}\$[./A-Za-z0-9]{22}|[./A-Za-z0-9]{13})$/.test(value);
}

/** `known`: the other forms that this system can check. */
function readCrypt(value: string, known: ReadonlySet<string>): ForeignPassword {
  if (isCheckedHere(value)) return { hash: `{crypt}${value}` };
  const { name, isBounded } = cryptFormOf(value);
  return isBounded && known.has(name) ? { hash: `{crypt}${value}` } : { unusable: name };
}

/** `HMACSHA2+256:iterations:salt:hash`, the last three in base64, as FreeRADIUS writes it; the iterations are a number of 32 bits. */
function readPbkdf2(value: string): ForeignPassword {
  const parts = /^HMACSHA(1|2\+256|2\+512):([A-Za-z0-9+/=]+):([A-Za-z0-9+/=]+):([A-Za-z0-9+/=]+)$/i.exec(value);
  if (!parts) return { unusable: 'pbkdf2' };
  const [, size = '', packed = '', salt = '', hash = ''] = parts;
  const bytes = Buffer.from(packed, 'base64');
  const iterations = bytes.length === 4 ? bytes.readUInt32BE() : Number(packed);
  const algorithm = size === '1' ? 'sha1' : `sha${size.slice(-3)}`;
  const length = Buffer.from(hash, 'base64').length;
  if (
    !Number.isSafeInteger(iterations) ||
    iterations < 1 ||
    iterations > limits.iterations ||
    length < 16 ||
    length > 64
  )
    return { unusable: 'pbkdf2' };
  return { hash: `{pbkdf2}${algorithm}:${iterations}:${salt}:${hash}` };
}

function readForm(form: string, value: string, known: ReadonlySet<string>): ForeignPassword {
  if (form === 'clear') return value === '' ? { unusable: 'clear' } : { clear: value };
  if (form === 'crypt') return readCrypt(value, known);
  if (form === 'pbkdf2') return readPbkdf2(value);
  if (form === 'nt' || form === 'lm') {
    const bytes = bytesOf(value, 16);
    return bytes?.length === 16 ? { hash: `{${form}}${bytes.toString('base64')}` } : { unusable: form };
  }
  if (form === 'ns-mta-md5')
    return /^[0-9a-f]{32}[\x21-\x7e]{32}$/i.test(value) ? { hash: `{${form}}${value}` } : { unusable: form };
  if (
    digests.has(form) ||
    form === 'smd5' ||
    unsized.has(form) ||
    (form.startsWith('ssha') && digests.has(form.slice(1)))
  )
    return readDigest(form, value);
  return { unusable: form };
}

const canonical = (name: string): string => alsoCalled.get(name.toLowerCase()) ?? name.toLowerCase();

/** `{ssha}…`, or the same in base64. */
function readHeader(value: string, known: ReadonlySet<string>): ForeignPassword {
  const plain = value.startsWith('{') ? value : Buffer.from(value, 'base64').toString('latin1');
  const parts = /^\{([\w +-]{0,20})\}([^]*)$/.exec(plain);
  return parts ? readForm(canonical(parts[1]!), parts[2]!, known) : { unusable: 'with-header' };
}

/** The attributes that say the password of a user. */
export const isPasswordAttribute = (attribute: string): boolean =>
  /^(?:(?!chap|ms-chap|new|old|sms|tunnel)[\w-]+-)?password(?:-with-header)?$/i.test(attribute);

/**
 * Reads the value of a password attribute of FreeRADIUS, such as `SSHA2-256-Password`. `known`: the forms of crypt(3) that the system
 * can check beside those of this file.
 */
export function readForeignPassword(attribute: string, value: string, known: ReadonlySet<string>): ForeignPassword {
  if (/^password-with-header$/i.test(attribute)) return readHeader(value, known);
  const form = canonical(attribute.replace(/-?password$/i, ''));
  // FreeRADIUS takes a header in the old attributes too.
  if (/^(?:user-)?password$/i.test(attribute) && /^\{[\w +-]{1,20}\}./.test(value)) return readHeader(value, known);
  return readForm(form, value, known);
}

const isSame = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

async function isCrypt(stored: string, typed: string, tenantId: string): Promise<boolean> {
  if (!isCheckedHere(stored)) {
    const made = await systemCrypt(stored, typed, tenantId);
    return made !== undefined && isSame(Buffer.from(made), Buffer.from(stored));
  }
  if (stored.startsWith('$2')) return bcrypt.compare(typed, stored);
  const made = stored.startsWith('$1$')
    ? md5Crypt(typed, stored)
    : stored.startsWith('$')
      ? shaCrypt(typed, stored.slice(0, stored.lastIndexOf('$')))
      : desCrypt(typed, stored.slice(0, 2));
  return isSame(Buffer.from(made), Buffer.from(stored));
}

/** The form of Netscape's mail server: the digest in hexadecimal, followed by the salt. */
function isNetscape(stored: string, typed: string): boolean {
  const salt = stored.slice(32);
  const made = createHash('md5').update(salt).update(Buffer.of(89)).update(typed).update(Buffer.of(247)).update(salt);
  return isSame(made.digest(), Buffer.from(stored.slice(0, 32), 'hex'));
}

/** Whether a process of its own checks this hash, so that an answer may take seconds. */
export const isCheckedApart = (hash: string): boolean => hash.startsWith('{crypt}') && !isCheckedHere(hash.slice(7));

/** Whether a typed password has this hash. Throws CryptAway if that cannot be said now. */
export async function hasForeignHash(hash: string, typed: string, tenantId: string): Promise<boolean> {
  const [, form = '', value = ''] = /^\{([\w-]+)\}([^]*)$/.exec(hash) ?? [];
  if (form === 'crypt') return isCrypt(value, typed, tenantId);
  if (form === 'ns-mta-md5') return isNetscape(value, typed);
  if (form === 'pbkdf2') {
    const [algorithm = '', iterations, salt = '', wanted = ''] = value.split(':');
    const bytes = Buffer.from(wanted, 'base64');
    return isSame(await slow(typed, Buffer.from(salt, 'base64'), Number(iterations), bytes.length, algorithm), bytes);
  }
  const stored = Buffer.from(value, 'base64');
  if (form === 'lm') return isSame(lmHash(typed), stored);
  if (form === 'nt')
    return isSame(Buffer.from(md4.create().update(Buffer.from(typed, 'utf16le')).arrayBuffer()), stored);
  const salted = !digests.has(form);
  const digest = digests.get(form === 'smd5' ? 'md5' : salted ? form.slice(1) : form);
  if (!digest) return false;
  const made = createHash(digest.algorithm).update(typed).update(stored.subarray(digest.bytes)).digest();
  return isSame(made, stored.subarray(0, digest.bytes));
}
