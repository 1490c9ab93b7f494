/** In years. */
export const terms = [1, 2, 3] as const;
export type Term = (typeof terms)[number];

/** The term in the address, by default one year. */
export const termOf = (text: string | undefined): Term => terms.find(years => String(years) === text) ?? 1;
