import { type GuestMails, plural } from '../guest-mail-data.ts';

export const es: GuestMails = {
  confirm_guest_email: ({ location, link, hours }) => ({
    subject: `Confirme su correo para el Wi-Fi de ${location}`,
    heading: 'Confirme su correo electrónico',
    paragraphs: [
      `Ha introducido esta dirección para el Wi-Fi de invitados de ${location}. Confirme que es suya para seguir usando el Wi-Fi. El enlace es válido durante ${hours} horas.`,
    ],
    button: { label: 'Confirmar mi dirección', link },
    note: 'Si no fue usted, ignore este correo: sin el enlace no ocurre nada.',
  }),
  purchase_receipt: it => ({
    subject: `Recibo del Wi-Fi de ${it.location}`,
    heading: 'Gracias por su compra',
    paragraphs: [
      `${it.package}: ${it.days} ${plural('es', it.days, { one: 'día', other: 'días' })}, ${it.amount}.`,
      ...(it.tax ? [`El importe incluye ${it.tax} de impuestos (${it.rate}).`] : []),
      'Con este código puede conectar otro dispositivo, o el mismo más tarde: en la página de acceso del Wi-Fi, elija «Recuperar mi compra».',
    ],
    ...(it.code && { code: it.code }),
    note: `Compra ${it.order}. No comparta el código: quien lo tenga puede usar su acceso.`,
  }),
  own_data: ({ location, link, days }) => ({
    subject: `Sus datos en ${location}`,
    heading: 'Lo que se guarda sobre usted',
    paragraphs: [
      `Aquí puede ver lo que el Wi-Fi de invitados de ${location} guarda sobre usted, y hacer que se borre. El enlace es válido durante ${days} días; no lo comparta.`,
    ],
    button: { label: 'Ver mis datos', link },
    note: 'Recibe este correo porque se pidió desde su sesión Wi-Fi.',
  }),
};
