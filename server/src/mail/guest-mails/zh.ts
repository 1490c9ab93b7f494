import type { GuestMails } from '../guest-mail-data.ts';

export const zh: GuestMails = {
  confirm_guest_email: ({ location, link, hours }) => ({
    subject: `请确认您用于 ${location} Wi-Fi 的邮箱`,
    heading: '确认您的邮箱',
    paragraphs: [
      `您在 ${location} 的访客 Wi-Fi 中填写了此邮箱。请确认它属于您，以便继续使用 Wi-Fi。链接在 ${hours} 小时内有效。`,
    ],
    button: { label: '确认我的邮箱', link },
    note: '如果不是您本人操作，请忽略此邮件：不打开链接就不会发生任何事情。',
  }),
  purchase_receipt: it => ({
    subject: `${it.location} Wi-Fi 收据`,
    heading: '感谢您的购买',
    paragraphs: [
      `${it.package}：${it.days} 天，${it.amount}。`,
      ...(it.tax ? [`金额含税 ${it.tax}（${it.rate}）。`] : []),
      '使用此代码可连接其他设备，或稍后再次连接同一设备：请在 Wi-Fi 登录页面选择“恢复我的购买”。',
    ],
    ...(it.code && { code: it.code }),
    note: `订单 ${it.order}。请勿透露代码：任何人凭此代码都能使用您的上网权限。`,
  }),
  own_data: ({ location, link, days }) => ({
    subject: `您在 ${location} 的数据`,
    heading: '保存的关于您的数据',
    paragraphs: [
      `您可以在此查看 ${location} 的访客 Wi-Fi 保存了您的哪些数据，并要求删除。链接在 ${days} 天内有效，请勿转发。`,
    ],
    button: { label: '查看我的数据', link },
    note: '您收到此邮件，是因为有人在您的 Wi-Fi 会话中提出了请求。',
  }),
};
