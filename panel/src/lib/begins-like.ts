/** Shorter words are like too many others. */
const shortest = 4;

/** Whether a word of the text begins with this word, or with one that differs by one typing error. Both are folded. */
export function beginsLike(text: string, word: string): boolean {
  if (word.length < shortest) return text.includes(word);
  return text.split(/[^\p{L}\p{N}]+/u).some(each => isBeginning(word, each));
}

/** Two letters may be exchanged, or one added, left out or replaced; the first letter counts. */
function isBeginning(typed: string, word: string): boolean {
  if (typed[0] !== word[0]) return false;
  let at = 0;
  while (at < typed.length && typed[at] === word[at]) at += 1;
  const [here, next] = [typed.slice(at), typed.slice(at + 1)];
  return (
    word.startsWith(next, at + 1) ||
    word.startsWith(next, at) ||
    word.startsWith(here, at + 1) ||
    (typed[at] === word[at + 1] && typed[at + 1] === word[at] && word.startsWith(typed.slice(at + 2), at + 2))
  );
}
