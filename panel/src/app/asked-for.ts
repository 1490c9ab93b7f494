import { folded } from '#lib/folded.ts';

/** Actions on records, each by the words of both languages that ask for it: what to do, and with what. */
const asked = [
  { on: 'session', verb: /^(end|kick)$|^(sonlandir|bitir)/, noun: /^(session|oturum)/ },
  { on: 'batch', verb: /^print$|^yazdir/, noun: /^(voucher|kupon)/ },
] as const;
const fillers = ['of', 'the', 'for', 'from'];

/** “End session of Ayşe”, “end Ayşe” and “session Ayşe” ask for an action on what “Ayşe” finds. */
export function askedFor(typed: string): { on?: (typeof asked)[number]['on']; text: string } {
  const words = typed.trim().split(/\s+/);
  const fits = (pattern: RegExp) => (word: string) => pattern.test(folded(word));
  const has = (pattern: RegExp) => words.some(fits(pattern));
  for (const action of asked) {
    const asks = (word: string) => fits(action.verb)(word) || fits(action.noun)(word);
    if (has(action.verb) && has(action.noun))
      return { on: action.on, text: named(words.filter(word => !asks(word) && !fillers.includes(folded(word)))) };
  }
  // A verb or a noun alone may be part of a name, such as “West End Hotel”. At an edge, the rest still finds the thing of that name.
  for (const { on, verb, noun } of asked) {
    const asks = (word: string | undefined) => word !== undefined && (fits(verb)(word) || fits(noun)(word));
    let rest = words;
    if (asks(rest[0])) {
      rest = rest.slice(1);
      while (fillers.includes(folded(rest[0] ?? ''))) rest = rest.slice(1);
    } else if (asks(rest.at(-1))) rest = rest.slice(0, -1);
    if (rest.length > 0 && rest.length < words.length) return { on, text: named(rest) };
  }
  return { text: typed.trim() };
}

/** Without the Turkish genitive of a name: “Ayşe'nin”. */
const named = (words: readonly string[]): string => words.map(word => word.replace(/['’]n?[ıiuü]n$/u, '')).join(' ');
