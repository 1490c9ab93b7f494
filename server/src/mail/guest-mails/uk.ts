import { type GuestMails, plural } from '../guest-mail-data.ts';

export const uk: GuestMails = {
  confirm_guest_email: ({ location, link, hours }) => ({
    subject: `Підтвердьте адресу ел. пошти для Wi-Fi: ${location}`,
    heading: 'Підтвердьте адресу ел. пошти',
    paragraphs: [
      `Ви вказали цю адресу для гостьового Wi-Fi (${location}). Підтвердьте, що вона ваша, щоб і далі користуватися Wi-Fi. Посилання діє ${hours} ${plural('uk', hours, { one: 'годину', few: 'години', other: 'годин' })}.`,
    ],
    button: { label: 'Підтвердити адресу', link },
    note: 'Якщо це були не ви, не зважайте на цей лист: без переходу за посиланням нічого не станеться.',
  }),
  purchase_receipt: it => ({
    subject: `Чек за Wi-Fi: ${it.location}`,
    heading: 'Дякуємо за покупку',
    paragraphs: [
      `${it.package}: ${it.days} ${plural('uk', it.days, { one: 'день', few: 'дні', other: 'днів' })}, ${it.amount}.`,
      ...(it.tax ? [`Сума містить податок ${it.tax} (${it.rate}).`] : []),
      'З цим кодом можна підключити інший пристрій або цей самий пізніше: на сторінці входу до Wi-Fi виберіть «Відновити покупку».',
    ],
    ...(it.code && { code: it.code }),
    note: `Покупка ${it.order}. Нікому не повідомляйте код: з ним будь-хто може користуватися вашим доступом.`,
  }),
  own_data: it => ({
    subject: `Ваші дані: ${it.location}`,
    heading: 'Що про вас зберігається',
    paragraphs: [
      `Тут можна переглянути, що про вас зберігає гостьовий Wi-Fi (${it.location}), і видалити ці дані. Посилання діє ${it.days} ${plural('uk', it.days, { one: 'день', few: 'дні', other: 'днів' })}; нікому його не передавайте.`,
    ],
    button: { label: 'Переглянути мої дані', link: it.link },
    note: 'Ви отримали цей лист, бо його замовили з вашого сеансу Wi-Fi.',
  }),
};
