/** Elements whose text flows in lines. In a flex container, such as a button, an element would split the text into columns. */
const flowing = /(<(?:h1|h2|p|li|dt|dd|span|small|bdi|b(?=>))(?:\s[^>]*)?>)([^<]*Wi-Fi[^<]*)/g;

/**
 * Keeps “Wi-Fi” on one line. Browsers may break a line at its hyphen, and no style of the whole page forbids only that. A
 * non-breaking hyphen would change what guests copy and search for, and the portals' fonts do not have it.
 */
export const unbroken = (html: string): string =>
  html.replace(
    flowing,
    (_, tag: string, text: string) => tag + text.replaceAll('Wi-Fi', '<span class="nb">Wi-Fi</span>'),
  );
