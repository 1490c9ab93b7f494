import { type GuestMails, plural } from '../guest-mail-data.ts';

export const de: GuestMails = {
  confirm_guest_email: ({ location, link, hours }) => ({
    subject: `Bestätigen Sie Ihre E-Mail-Adresse für das WLAN von ${location}`,
    heading: 'Bestätigen Sie Ihre E-Mail-Adresse',
    paragraphs: [
      `Sie haben diese Adresse für das Gäste-WLAN von ${location} angegeben. Bestätigen Sie, dass sie Ihnen gehört, damit Sie das WLAN weiter nutzen können. Der Link gilt ${hours} Stunden.`,
    ],
    button: { label: 'Adresse bestätigen', link },
    note: 'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Ohne den Link geschieht nichts.',
  }),
  purchase_receipt: it => ({
    subject: `Beleg für das WLAN von ${it.location}`,
    heading: 'Danke für Ihren Kauf',
    paragraphs: [
      `${it.package}: ${it.days} ${plural('de', it.days, { one: 'Tag', other: 'Tage' })}, ${it.amount}.`,
      ...(it.tax ? [`Darin sind ${it.tax} Steuer enthalten (${it.rate}).`] : []),
      'Mit diesem Code verbinden Sie ein weiteres Gerät oder dasselbe Gerät später: Wählen Sie auf der Anmeldeseite des WLANs „Kauf wiederherstellen“.',
    ],
    ...(it.code && { code: it.code }),
    note: `Kauf ${it.order}. Geben Sie den Code nicht weiter: Wer ihn hat, kann Ihren Zugang nutzen.`,
  }),
  own_data: ({ location, link, days }) => ({
    subject: `Ihre Daten bei ${location}`,
    heading: 'Was über Sie gespeichert ist',
    paragraphs: [
      `Hier sehen Sie, was das Gäste-WLAN von ${location} über Sie speichert, und können es löschen lassen. Der Link gilt ${days} Tage; geben Sie ihn nicht weiter.`,
    ],
    button: { label: 'Meine Daten ansehen', link },
    note: 'Sie erhalten diese E-Mail, weil sie in Ihrer WLAN-Sitzung angefordert wurde.',
  }),
};
