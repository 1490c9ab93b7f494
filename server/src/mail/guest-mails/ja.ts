import type { GuestMails } from '../guest-mail-data.ts';

export const ja: GuestMails = {
  confirm_guest_email: ({ location, link, hours }) => ({
    subject: `${location}のWi-Fi：メールアドレスの確認`,
    heading: 'メールアドレスの確認',
    paragraphs: [
      `このアドレスは${location}のゲストWi-Fiで入力されました。引き続きWi-Fiをご利用いただくため、ご本人のアドレスであることを確認してください。リンクの有効時間は${hours}時間です。`,
    ],
    button: { label: 'アドレスを確認する', link },
    note: 'お心当たりがない場合は、このメールを無視してください。リンクを開かない限り、何も起こりません。',
  }),
  purchase_receipt: it => ({
    subject: `${it.location} Wi-Fiの領収書`,
    heading: 'ご購入ありがとうございます',
    paragraphs: [
      `${it.package}：${it.days}日間、${it.amount}`,
      ...(it.tax ? [`金額には税${it.tax}（${it.rate}）が含まれます。`] : []),
      'このコードで、別の端末や、後日同じ端末を接続できます。Wi-Fiのログインページで「購入を復元」を選んでください。',
    ],
    ...(it.code && { code: it.code }),
    note: `購入番号 ${it.order}。コードは他人に教えないでください。コードがあれば、だれでもあなたの接続を利用できます。`,
  }),
  own_data: ({ location, link, days }) => ({
    subject: `${location}に保存されているデータ`,
    heading: '保存されているあなたのデータ',
    paragraphs: [
      `${location}のゲストWi-Fiが保存しているあなたのデータを確認し、削除できます。リンクの有効期間は${days}日間です。他人に教えないでください。`,
    ],
    button: { label: '自分のデータを見る', link },
    note: 'このメールは、あなたのWi-Fi接続から請求されたため送信されました。',
  }),
};
