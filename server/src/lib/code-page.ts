/** Texts in code pages of one byte a character, for systems that know no UTF-8. */

export type CodePage = 'windows-1252' | 'windows-1254' | 'cp857';

// The upper half of code page 857, DOS Turkish. Node has no decoder for it; a space marks an unused place.
const upper857 =
  'ÇüéâäàåçêëèïîıÄÅÉæÆôöòûùİÖÜø£ØŞşáíóúñÑĞğ¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ºªÊËÈ ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµ ×ÚÛÙìÿ¯´\u00ad± ¾¶§÷¸°¨·¹³²■\u00a0';

const upperOf = (page: CodePage): string =>
  page === 'cp857'
    ? upper857
    : new TextDecoder(page).decode(Uint8Array.from({ length: 128 }, (_, index) => index + 128));

const tables = new Map<CodePage, Map<string, number>>();
function tableOf(page: CodePage): Map<string, number> {
  const known = tables.get(page);
  if (known) return known;
  const upper = [...upperOf(page)].map((character, index) => [character, index + 128] as const);
  const made = new Map(upper.filter(([character]) => character !== ' '));
  tables.set(page, made);
  return made;
}

/** A character that a code page may lack, in plain letters. */
const plain = (character: string): string => {
  const known: Record<string, string> = {
    ı: 'i',
    İ: 'I',
    ş: 's',
    Ş: 'S',
    ğ: 'g',
    Ğ: 'G',
    '’': "'",
    '‘': "'",
    '–': '-',
    '“': '"',
    '”': '"',
    '…': '...',
    '€': 'EUR',
    '₺': 'TL',
  };
  return known[character] ?? (character.normalize('NFKD').replace(/\p{M}/gu, '') || '?');
};

/** The bytes of a text. A character without a place becomes a similar letter, or a question mark. */
export function toCodePage(text: string, page: CodePage): Buffer {
  const table = tableOf(page);
  const bytes: number[] = [];
  for (const character of text.normalize('NFC')) {
    const code = character.codePointAt(0)!;
    const byte = code < 128 ? code : table.get(character);
    if (byte !== undefined) bytes.push(byte);
    else for (const letter of plain(character)) bytes.push(letter.charCodeAt(0) < 128 ? letter.charCodeAt(0) : 63);
  }
  return Buffer.from(bytes);
}
