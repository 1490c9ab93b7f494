/**
 * Writes `mark` behind or in place of what makes mail programs and phones draw a link in a typed name, such as the dot of
 * `name.example`. `$&` in it stands for what was there.
 */
export const breakLinks = (text: string, mark: string): string => text.replace(/(?<=\S)[.:@](?=\S)/g, mark);
