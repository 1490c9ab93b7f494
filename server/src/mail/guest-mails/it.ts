import { type GuestMails, plural } from '../guest-mail-data.ts';

export const it: GuestMails = {
  confirm_guest_email: ({ location, link, hours }) => ({
    subject: `Conferma il tuo indirizzo e-mail per il Wi-Fi di ${location}`,
    heading: 'Conferma il tuo indirizzo e-mail',
    paragraphs: [
      `Hai inserito questo indirizzo per il Wi-Fi degli ospiti di ${location}. Conferma che è tuo per continuare a usare il Wi-Fi. Il link è valido ${hours} ore.`,
    ],
    button: { label: 'Conferma il mio indirizzo', link },
    note: 'Se non sei stato tu, ignora questa e-mail: senza il link non succede nulla.',
  }),
  purchase_receipt: it => ({
    subject: `Ricevuta per il Wi-Fi di ${it.location}`,
    heading: 'Grazie per l’acquisto',
    paragraphs: [
      `${it.package}: ${it.days} ${plural('it', it.days, { one: 'giorno', other: 'giorni' })}, ${it.amount}.`,
      ...(it.tax ? [`L’importo comprende ${it.tax} di IVA (${it.rate}).`] : []),
      'Con questo codice puoi connettere un altro dispositivo, o lo stesso più tardi: nella pagina di accesso del Wi-Fi scegli «Ripristina il mio acquisto».',
    ],
    ...(it.code && { code: it.code }),
    note: `Acquisto ${it.order}. Non condividere il codice: chi lo possiede può usare il tuo accesso.`,
  }),
  own_data: ({ location, link, days }) => ({
    subject: `I tuoi dati presso ${location}`,
    heading: 'Che cosa è conservato su di te',
    paragraphs: [
      `Qui puoi vedere che cosa il Wi-Fi degli ospiti di ${location} conserva su di te e farlo eliminare. Il link è valido ${days} giorni; non condividerlo.`,
    ],
    button: { label: 'Vedi i miei dati', link },
    note: 'Ricevi questa e-mail perché è stata richiesta dalla tua sessione Wi-Fi.',
  }),
};
