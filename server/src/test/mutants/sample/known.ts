/** Changes that survive, by their place, and why no test can notice them. */
export const known: ReadonlyMap<string, string> = new Map([]);
