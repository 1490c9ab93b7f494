import { type GuestMails, plural } from '../guest-mail-data.ts';

export const fr: GuestMails = {
  confirm_guest_email: ({ location, link, hours }) => ({
    subject: `Confirmez votre adresse e-mail pour le Wi-Fi de ${location}`,
    heading: 'Confirmez votre adresse e-mail',
    paragraphs: [
      `Vous avez saisi cette adresse pour le Wi-Fi invité de ${location}. Confirmez qu’elle est à vous pour continuer à utiliser le Wi-Fi. Le lien est valable ${hours} heures.`,
    ],
    button: { label: 'Confirmer mon adresse', link },
    note: 'Si ce n’était pas vous, ignorez cet e-mail : rien ne se passe sans le lien.',
  }),
  purchase_receipt: it => ({
    subject: `Reçu pour le Wi-Fi de ${it.location}`,
    heading: 'Merci pour votre achat',
    paragraphs: [
      `${it.package} : ${it.days} ${plural('fr', it.days, { one: 'jour', other: 'jours' })}, ${it.amount}.`,
      ...(it.tax ? [`Ce montant comprend ${it.tax} de TVA (${it.rate}).`] : []),
      'Avec ce code, connectez un autre appareil, ou le même plus tard : sur la page de connexion du Wi-Fi, choisissez « Restaurer mon achat ».',
    ],
    ...(it.code && { code: it.code }),
    note: `Achat ${it.order}. Gardez le code pour vous : il donne accès à votre connexion.`,
  }),
  own_data: ({ location, link, days }) => ({
    subject: `Vos données chez ${location}`,
    heading: 'Ce qui est conservé sur vous',
    paragraphs: [
      `Vous pouvez voir ici ce que le Wi-Fi invité de ${location} conserve sur vous, et le faire supprimer. Le lien est valable ${days} jours ; gardez-le pour vous.`,
    ],
    button: { label: 'Voir mes données', link },
    note: 'Vous recevez cet e-mail car il a été demandé depuis votre session Wi-Fi.',
  }),
};
