import { createRequire } from 'node:module';
import type { Language } from '@portico/contract/errors.ts';
import type { IdentityMatch, WhoWasIt } from '@portico/contract/identity.ts';
import { visibleText } from '@portico/contract/visible-text.ts';
import { type CertifiedKey, fingerprint } from '#lib/certificates.ts';
import { signedPdf } from '#lib/signed-pdf.ts';
import { type ReportWords, reportWords } from './report-words.ts';

const require = createRequire(import.meta.url);
/** DejaVu has the letters of all expected languages. */
const fonts = {
  plain: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
  mono: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf'),
};
const [ink, soft, hairline] = ['#16181d', '#5b6270', '#d8dbe2'];
const labelWidth = 150;

type Doc = PDFKit.PDFDocument;
type Fact = readonly [label: string, value: string | null | undefined];

interface ReportOptions {
  readonly key: CertifiedKey;
  readonly tenant: string;
  readonly language: Language;
}

const megabytes = (bytes: number, language: Language): string =>
  `${(bytes / 1_000_000).toLocaleString(language === 'tr' ? 'tr-TR' : 'en-GB', { maximumFractionDigits: 2 })} MB`;

/** A local time with its offset, so that it is unambiguous. */
function localTime(time: string, timeZone: string): string {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      ...({ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const),
      second: '2-digit',
      timeZoneName: 'longOffset',
    })
      .formatToParts(new Date(time))
      .map(part => [part.type, part.value]),
  );
  const { day, month, year, hour, minute, second, timeZoneName } = parts as Record<string, string>;
  return `${day}.${month}.${year} ${hour}:${minute}:${second} (${timeZoneName === 'GMT' ? 'GMT+00:00' : timeZoneName})`;
}

/** The signed PDF with the query, the guests and the evidence. */
export function identityReport(answer: WhoWasIt, { key, tenant, language }: ReportOptions): Promise<Buffer> {
  const words = reportWords[language];
  const zone = answer.asked.time_zone;
  const info = {
    title: `${words.title} ${answer.asked.address}`,
    author: tenant,
    language,
    reason: answer.asked.reason,
  };
  return signedPdf(key, info, doc => {
    for (const [name, file] of Object.entries(fonts)) doc.registerFont(name, file);
    doc.font('plain').fontSize(9).fillColor(soft).text(tenant);
    doc.font('bold').fontSize(18).fillColor(ink).text(words.title);
    doc.font('plain').fontSize(9).fillColor(soft).text(words.intro).moveDown();
    heading(doc, words.asked);
    facts(doc, [
      [words.address, answer.asked.address],
      [words.port, answer.asked.port?.toString()],
      [words.time, localTime(answer.asked.at, zone)],
      [words.alsoTime, answer.asked.also_at && localTime(answer.asked.also_at, zone)],
      [words.mac, answer.asked.mac],
      [words.reason, answer.asked.reason],
      [words.lookedUp, localTime(answer.looked_up_at, zone)],
    ]);
    if (answer.asked.also_at) note(doc, words.twoTimes);
    if (!answer.complete) note(doc, words.incomplete);
    if (answer.matches.length === 0) note(doc, words.noMatch);
    for (const [i, match] of answer.matches.entries()) {
      heading(doc, words.match(i + 1, answer.matches.length));
      facts(doc, matchFacts(match, words, { zone, language, twice: answer.asked.also_at !== null }));
      lines(doc, match, words);
    }
    note(doc, words.signature(fingerprint(key.certificate)));
    numberPages(doc, words);
  });
}

function matchFacts(
  match: IdentityMatch,
  words: ReportWords,
  { zone, language, twice }: { zone: string; language: Language; twice: boolean },
): Fact[] {
  const { guest, session, consent, lease, device } = match;
  const at = (time: string) => localTime(time, zone);
  return [
    [words.answersTime, twice ? at(match.asked_at) : null],
    [words.tieLabel, `${words.tie[match.tie]}${match.near ? ` ${words.near}` : ''}`],
    [words.proofLabel, words.proofs[match.proof]],
    [words.certainLabel, match.certain ? words.certain : words.notCertain],
    ...(guest
      ? ([
          [words.name, guest.name],
          [words.signedInBy, words.methods[guest.provider_type]],
          [words.citizenId, guest.citizen_id],
          [words.birthDate, guest.birth_date],
          [words.phone, guest.phone],
          [words.email, guest.email],
          [words.username, guest.username],
          [words.room, guest.room_number],
        ] as const)
      : ([[words.guest, words.noGuest]] as const)),
    [words.consent, consent && words.agreed(consent.version, at(consent.agreed_at))],
    [words.mac, session.client_mac],
    ...session.ipv6.map((it): [string, string] => ['IPv6', `${it.address}, ${at(it.first_at)} – ${at(it.last_at)}`]),
    [words.lease, lease && `${lease.address}, ${words.leases[lease.source]}, ${at(lease.at)}`],
    [words.started, at(session.started_at)],
    [words.ended, session.ended_at ? at(session.ended_at) : words.open],
    [
      words.traffic,
      session.figures_reported
        ? words.traffics(megabytes(session.download, language), megabytes(session.upload, language))
        : words.notReported,
    ],
    [words.location, match.location.name],
    [words.device, device && [device.name, device.nas_identifier, device.address].filter(Boolean).join(', ')],
    [words.session, session.id],
  ];
}

const left = (doc: Doc): number => doc.page.margins.left;
const width = (doc: Doc): number => doc.page.width - doc.page.margins.left - doc.page.margins.right;

/** Starts a new page if the height does not fit on this one. */
function ensureSpace(doc: Doc, height: number): void {
  if (doc.y + height > doc.page.height - doc.page.margins.bottom) doc.addPage();
}

function heading(doc: Doc, text: string): void {
  ensureSpace(doc, 60);
  doc.moveDown(0.6);
  doc.font('bold').fontSize(11).fillColor(ink).text(text, left(doc));
  doc
    .moveTo(left(doc), doc.y + 2)
    .lineTo(left(doc) + width(doc), doc.y + 2)
    .lineWidth(0.5)
    .stroke(hairline);
  doc.y += 7;
}

function facts(doc: Doc, all: readonly Fact[]): void {
  const valueWidth = width(doc) - labelWidth;
  for (const [label, typed] of all) {
    if (!typed) continue;
    const value = visibleText(typed);
    const height = doc.font('plain').fontSize(9.5).heightOfString(value, { width: valueWidth });
    ensureSpace(doc, height + 4);
    const { y } = doc;
    doc.fillColor(soft).text(label, left(doc), y, { width: labelWidth - 10 });
    const labelEnd = doc.y;
    doc.fillColor(ink).text(value, left(doc) + labelWidth, y, { width: valueWidth });
    doc.x = left(doc);
    doc.y = Math.max(doc.y, labelEnd) + 3;
  }
}

function lines(doc: Doc, match: IdentityMatch, words: ReportWords): void {
  if (match.lines.length === 0) return;
  ensureSpace(doc, 40);
  doc.moveDown(0.4).font('plain').fontSize(8.5).fillColor(soft).text(words.lines, left(doc));
  doc.moveDown(0.2).font('mono').fontSize(6.5).fillColor(ink);
  for (const { text, proof } of match.lines)
    doc
      .text(`[${words.lineProofs[proof]}] ${visibleText(text)}`, left(doc), doc.y, { width: width(doc) })
      .moveDown(0.15);
}

function note(doc: Doc, text: string): void {
  ensureSpace(doc, 40);
  doc
    .moveDown(0.8)
    .font('plain')
    .fontSize(8.5)
    .fillColor(soft)
    .text(text, left(doc), doc.y, { width: width(doc) });
}

function numberPages(doc: Doc, words: ReportWords): void {
  const { count } = doc.bufferedPageRange();
  for (let i = 0; i < count; i++) {
    doc.switchToPage(i);
    const { bottom } = doc.page.margins;
    // Text below the margin would start a new page.
    doc.page.margins.bottom = 0;
    doc.font('plain').fontSize(8).fillColor(soft);
    doc.text(words.page(i + 1, count), left(doc), doc.page.height - 36, {
      width: width(doc),
      align: 'right',
      lineBreak: false,
    });
    doc.page.margins.bottom = bottom;
  }
}
