import CodepageEncoder from '@point-of-sale/codepage-encoder';
import ReceiptPrinterEncoder from '@point-of-sale/receipt-printer-encoder';
import { cardTexts, signInText, validityIn } from '@portico/contract/card-texts.ts';
import type { Printer } from '@portico/contract/printers.ts';
import { wifiCode } from '@portico/contract/voucher-code.ts';
import type { CardSettings, VoucherBatch, VoucherCard } from '@portico/contract/vouchers.ts';

/** A voucher as ESC/POS commands. The numbers of code pages are those of Epson, which most other makes follow. */

/** Font A: so many letters fit. */
const columns = { '80': 48, '58': 32 } as const;
const dotsOfQr = { '80': 7, '58': 5 } as const;

type Codepage = Parameters<typeof CodepageEncoder.encode>[1];

/** Cyrillic has a code page of its own, which printers with Turkish letters have too. */
const pageOf = (letters: Printer['letters'], language: CardSettings['language']): Codepage | undefined =>
  letters === 'ascii' ? undefined : language === 'ru' || language === 'uk' ? 'cp866' : letters;

/** These printers have no letters of these languages. */
const unprintable: ReadonlySet<CardSettings['language']> = new Set(['ar', 'fa', 'zh', 'ja']);

const plainLetters: Readonly<Record<string, string>> = {
  ...{ ı: 'i', ß: 'ss', æ: 'ae', ø: 'o', ł: 'l', đ: 'd', '€': 'EUR', '₺': 'TL', '£': 'GBP' },
  // Ukrainian letters that code page 866 lacks.
  ...{ і: 'i', І: 'I', ґ: 'г', Ґ: 'Г' },
  ...{
    '’': "'",
    '‘': "'",
    '“': '"',
    '”': '"',
    '–': '-',
    '—': '-',
    '…': '...',
    '·': '-',
    '•': '-',
    '\u00a0': ' ',
    '\u202f': ' ',
  },
};
const questionMark = 0x3f;

/** Code pages have signs such as `←` at the places of control characters, and a printer takes them for commands. */
const isLetter = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= 0x20 && byte !== 0x7f && byte !== questionMark;

/** The text in the letters of the printer: `ş` becomes `s` where there is no `ş`. Control characters would be commands. */
export function printable(text: string, page: Codepage | undefined): string {
  const has = (letter: string): boolean =>
    page ? letter === '?' || isLetter(CodepageEncoder.encode(letter, page)[0]) : /[ -~]/.test(letter);
  return [...text.normalize('NFC').replace(/\p{Cc}+/gu, ' ')]
    .map(letter => {
      if (has(letter)) return letter;
      const plain = plainLetters[letter] ?? letter.normalize('NFKD').replace(/\p{M}/gu, '');
      return [...plain].map(it => (has(it) ? it : '?')).join('');
    })
    .join('');
}

export function receiptOf(
  card: VoucherCard,
  it: {
    batch: Pick<VoucherBatch, 'name' | 'location' | 'valid_for' | 'valid_until'>;
    settings: CardSettings;
    printer: Printer;
  },
): Uint8Array {
  const { batch, settings, printer } = it;
  const { ssid, wifi_password: password } = settings;
  const language = unprintable.has(settings.language) ? 'en' : settings.language;
  const words = cardTexts(language);
  const page = pageOf(printer.letters, language);
  const say = (text: string) => printable(text, page);
  const qr = { model: 2, size: dotsOfQr[printer.paper], errorlevel: 'm' } as const;
  const encoder = new ReceiptPrinterEncoder({
    language: 'esc-pos',
    columns: columns[printer.paper],
    codepageMapping: 'epson',
    errors: 'relaxed',
    feedBeforeCut: 4,
  });
  encoder
    .initialize()
    .codepage(page ?? 'cp437')
    .align('center');
  encoder.bold(true).line(say(batch.location.name)).bold(false).line(say(words.title)).newline();
  if (ssid) {
    encoder.line(say(`${words.network}: ${ssid}`));
    if (password) encoder.line(say(`${words.password}: ${password}`));
    encoder.newline().line(say(words.join)).qrcode(wifiCode(ssid, password), qr).newline();
  }
  encoder
    .line(say(signInText(language, { isSecond: !!ssid })))
    .qrcode(card.sign_in_url, qr)
    .newline();
  encoder.line(say(words.code)).bold(true).size(2, 2).line(card.code).size(1, 1).bold(false).newline();
  for (const line of validityIn(language, batch)) encoder.line(say(line));
  if (settings.text) encoder.line(say(settings.text));
  encoder.line(say(`${batch.name} - ${card.number}`));
  return encoder.cut('partial').encode();
}
