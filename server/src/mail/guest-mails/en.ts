import { type GuestMails, plural } from '../guest-mail-data.ts';

export const en: GuestMails = {
  confirm_guest_email: ({ location, link, hours }) => ({
    subject: `Confirm your e-mail address for the Wi-Fi of ${location}`,
    heading: 'Confirm your e-mail address',
    paragraphs: [
      `You entered this address for the guest Wi-Fi of ${location}. Confirm that it is yours, so that you can go on using the Wi-Fi. The link works for ${hours} hours.`,
    ],
    button: { label: 'Confirm my address', link },
    note: 'If it was not you, ignore this mail: nothing happens without the link.',
  }),
  purchase_receipt: it => ({
    subject: `Receipt for the Wi-Fi of ${it.location}`,
    heading: 'Thank you for your purchase',
    paragraphs: [
      `${it.package}: ${it.days} ${plural('en', it.days, { one: 'day', other: 'days' })}, ${it.amount}.`,
      ...(it.tax ? [`The amount includes ${it.tax} of tax (${it.rate}).`] : []),
      'Use this code to connect another device, or the same one later: on the sign-in page of the Wi-Fi, choose “Restore my purchase”.',
    ],
    ...(it.code && { code: it.code }),
    note: `Purchase ${it.order}. Keep the code to yourself: anyone who has it can use your access.`,
  }),
  own_data: ({ location, link, days }) => ({
    subject: `Your data at ${location}`,
    heading: 'What is kept of you',
    paragraphs: [
      `Here you can see what the guest Wi-Fi of ${location} keeps of you, and have it deleted. The link works for ${days} days; keep it to yourself.`,
    ],
    button: { label: 'See my data', link },
    note: 'You get this mail because it was asked for from your Wi-Fi session.',
  }),
};
