/** The location that the user chose by pressing a notice in this window. A link of another page cannot set it. */
let chosen: string | undefined;

export const choose = (id: string): void => {
  chosen = id;
};
export const isChosen = (id: string): boolean => chosen === id;
