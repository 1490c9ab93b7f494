let list: Promise<ReadonlySet<string>> | undefined;

/** About 49,000 passwords, most frequent in published leaks. Loaded at first use, because it takes 3 MB of memory. */
async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}

/** Whether a password is a common one, or a common one with a short suffix. */
export async function isCommonPassword(password: string): Promise<boolean> {
  list ??= load();
  const common = await list;
  const typed = password.normalize('NFKC').toLowerCase();
  const isOneCharacter = new Set(typed).size === 1;
  return isOneCharacter || common.has(typed) || common.has(typed.replace(/[^\p{L}]{1,4}$/u, ''));
}
