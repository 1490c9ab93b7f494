import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { cryptForms, samplePassword } from './crypt-forms.ts';
import { createSharedTurn } from './shared-turn.ts';

// The system's libcrypt knows every form of crypt(3), and no package does. Perl calls it: Debian always has perl-base. A process of
// its own does each check, with limits on memory and time.

/** Reads the hash in the first line and the password in the rest. Nothing secret is among the arguments, which other users see. */
const program = `my $hash = <STDIN>; chomp $hash; local $/; my $typed = <STDIN>; my $made = crypt($typed // '', $hash); print $made // '';`;
export const perl = { path: '/usr/bin/perl' };
const maxCpuSeconds = 3;
const maxKilobytes = 200_000;
/** By the clock. The machine may be busy. */
const patienceMs = 15_000;
// The limits apply to the program that replaces the shell. Not every system can limit the address space.
const limited = `ulimit -t ${maxCpuSeconds}; ulimit -v ${maxKilobytes} 2>/dev/null; exec "$0" -e "$1"`;
/** libcrypt takes no longer password. */
const longestPassword = 500;

/** The password could not be checked now, which says nothing about it: too many wait, or the program failed. */
export class CryptAway extends Error {
  override readonly name = 'CryptAway';
}

const turn = createSharedTurn(30);

async function crypt(hash: string, typed: string): Promise<string> {
  const child = spawn('/bin/sh', ['-c', limited, perl.path, program], {
    // No setting of the service, such as its key, reaches this process.
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: patienceMs,
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // A process that was killed does not read to the end.
  child.stdin.on('error', () => undefined);
  child.stdin.end(`${hash}\n${typed}`);
  const [made, code] = await Promise.all([text(child.stdout), ended]);
  if (code !== 0) throw new CryptAway(`The program that checks a password ended with ${code}`);
  return made;
}

/** What crypt(3) makes of a typed password. Checks run one at a time, and tenants take turns. Throws CryptAway. */
export async function systemCrypt(hash: string, typed: string, tenantId: string): Promise<string | undefined> {
  if (typed.includes('\0') || Buffer.byteLength(typed) > longestPassword) return undefined;
  const made = await (turn(tenantId, () => crypt(hash, typed)) ?? Promise.reject(new CryptAway('Too many wait')));
  // As libcrypt says that it could not: without the form, or without memory.
  if (made === '' || made.startsWith('*')) throw new CryptAway('The system cannot check this form of crypt');
  return made;
}

/** Asks libcrypt for one hash of each form. */
export async function findForms(): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (const { name, sample } of cryptForms)
    if ((await crypt(sample, samplePassword).catch(() => '')) === sample) known.add(name);
  return known;
}

let forms: Promise<ReadonlySet<string>> | undefined;
/** The forms of crypt(3) that this system can check. */
export const systemForms = (): Promise<ReadonlySet<string>> => (forms ??= findForms());
