/** Years. */
export const terms = [1, 2, 3] as const;
export type Term = (typeof terms)[number];

/** The term in an address; one year when it names none. */
export const termOf = (text: string | undefined): Term => terms.find(years => String(years) === text) ?? 1;
