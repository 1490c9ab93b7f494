/** The most languages that an owner can add to a portal, and the lengths of a name, of a text and of all texts in one. */
export const ownLanguageLimits = { languages: 5, name: 40, text: 500, texts: 20_000 } as const;
