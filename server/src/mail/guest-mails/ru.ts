import { type GuestMails, plural } from '../guest-mail-data.ts';

export const ru: GuestMails = {
  confirm_guest_email: ({ location, link, hours }) => ({
    subject: `Подтвердите адрес электронной почты для Wi-Fi: ${location}`,
    heading: 'Подтвердите адрес электронной почты',
    paragraphs: [
      `Вы указали этот адрес для гостевого Wi-Fi (${location}). Подтвердите, что он ваш, чтобы и дальше пользоваться Wi-Fi. Срок действия ссылки в часах: ${hours}.`,
    ],
    button: { label: 'Подтвердить адрес', link },
    note: 'Если это были не вы, не обращайте внимания на письмо: без перехода по ссылке ничего не произойдёт.',
  }),
  purchase_receipt: it => ({
    subject: `Чек за Wi-Fi: ${it.location}`,
    heading: 'Спасибо за покупку',
    paragraphs: [
      `${it.package}: ${it.days} ${plural('ru', it.days, { one: 'день', few: 'дня', other: 'дней' })}, ${it.amount}.`,
      ...(it.tax ? [`В сумму входит налог ${it.tax} (${it.rate}).`] : []),
      'С этим кодом можно подключить другое устройство или то же устройство позже: на странице входа в Wi-Fi выберите «Восстановить покупку».',
    ],
    ...(it.code && { code: it.code }),
    note: `Покупка ${it.order}. Никому не сообщайте код: с ним любой может пользоваться вашим доступом.`,
  }),
  own_data: ({ location, link, days }) => ({
    subject: `Ваши данные: ${location}`,
    heading: 'Что о вас хранится',
    paragraphs: [
      `Здесь можно посмотреть, что о вас хранит гостевой Wi-Fi (${location}), и удалить эти данные. Срок действия ссылки в днях: ${days}. Никому её не передавайте.`,
    ],
    button: { label: 'Посмотреть мои данные', link },
    note: 'Вы получили это письмо, потому что его запросили из вашего сеанса Wi-Fi.',
  }),
};
