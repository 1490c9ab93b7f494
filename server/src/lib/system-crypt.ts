import { cryptForms, samplePassword } from './crypt-forms.ts';
import { runLimited } from './limited-process.ts';
import { createSharedTurn } from './shared-turn.ts';

// The system's libcrypt knows every form of crypt(3), and no package does. Perl calls it: Debian always has perl-base. A process of
// its own does each check, with limits on memory and time.

/** Reads the hash in the first line and the password in the rest. Nothing secret is among the arguments, which other users see. */
const program = `my $hash = <STDIN>; chomp $hash; local $/; my $typed = <STDIN>; my $made = crypt($typed // '', $hash); print $made // '';`;
export const perl = { path: '/usr/bin/perl' };
const limits = { cpuSeconds: 3, kilobytes: 200_000, ms: 15_000 };
/** libcrypt takes no longer password. */
const longestPassword = 500;

/** The password could not be checked now, which says nothing about it: too many wait, or the program failed. */
export class CryptAway extends Error {
  override readonly name = 'CryptAway';
}

const turn = createSharedTurn(30);

async function crypt(hash: string, typed: string): Promise<string> {
  const { code, output } = await runLimited([perl.path, '-e', program], [`${hash}\n${typed}`], limits).catch(
    (cause: unknown) => {
      throw new CryptAway('The program that checks a password did not start', { cause });
    },
  );
  if (code !== 0) throw new CryptAway(`The program that checks a password ended with ${code}`);
  return output.toString('utf8');
}

/** Returns the hash that crypt(3) makes of a typed password. Checks run one at a time, and tenants take turns. Throws CryptAway. */
export async function systemCrypt(hash: string, typed: string, tenantId: string): Promise<string | undefined> {
  if (typed.includes('\0') || Buffer.byteLength(typed) > longestPassword) return undefined;
  const made = await (turn(tenantId, () => crypt(hash, typed)) ?? Promise.reject(new CryptAway('Too many wait')));
  // libcrypt's signs of failure: it does not know the form, or has no memory.
  if (made === '' || made.startsWith('*')) throw new CryptAway('The system cannot check this form of crypt');
  return made;
}

/** Returns a function that finds the forms of crypt(3) which this system can check, by one hash of each. A question that failed is asked again. */
export function createFormFinder(): () => Promise<ReadonlySet<string>> {
  const answers = new Map<string, boolean>();
  return async () => {
    for (const { name, sample } of cryptForms) {
      if (answers.has(name)) continue;
      const made = await crypt(sample, samplePassword).catch(() => undefined);
      if (made !== undefined) answers.set(name, made === sample);
    }
    return new Set(cryptForms.map(it => it.name).filter(name => answers.get(name)));
  };
}

export const systemForms = createFormFinder();
