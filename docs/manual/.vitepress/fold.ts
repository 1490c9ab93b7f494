/** Folds case and Turkish letters, so that “Işık”, “isik” and “IŞIK” are one word for the search. */
const fold = (term: string): string =>
  term.toLocaleLowerCase('tr').normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ı', 'i');

/** Options of MiniSearch, for the index that the build makes and for the search in the browser. */
export const foldedSearch = {
  options: { processTerm: fold },
  searchOptions: { processTerm: fold, prefix: true, fuzzy: 0.2 },
};
