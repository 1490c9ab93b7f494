import { directionOf, type ShippedLanguage } from '@portico/contract/portal-languages.ts';
import { shownVoucherCode } from '@portico/contract/voucher-code.ts';
import type { App } from '#lib/app.ts';
import { escapeHtml } from '#lib/html.ts';
import { write } from '#mail/mails.ts';
import type { StoredPurchase } from './purchases.queries.ts';
import { receiptData } from './receipt.service.ts';

interface Words {
  readonly title: string;
  readonly open: string;
  readonly check: string;
  readonly failed: string;
  readonly back: string;
  readonly ask: string;
}

const words: Readonly<Record<ShippedLanguage, Words>> = {
  en: {
    title: 'Your payment',
    open: 'It has not arrived yet. If you have paid, wait a moment and check again.',
    check: 'Check again',
    failed: 'Nothing was bought.',
    back: 'The money goes back to you, or is back already.',
    ask: 'The Wi-Fi on which you bought is not there any more. Show this number to the staff of {place}:',
  },
  tr: {
    title: 'Ödemeniz',
    open: 'Ödeme henüz ulaşmadı. Ödediyseniz biraz bekleyip yeniden denetleyin.',
    check: 'Yeniden denetle',
    failed: 'Hiçbir şey satın alınmadı.',
    back: 'Paranız size geri ödeniyor veya ödendi.',
    ask: 'Satın aldığınız Wi-Fi artık yok. Bu numarayı {place} görevlilerine gösterin:',
  },
  de: {
    title: 'Ihre Zahlung',
    open: 'Sie ist noch nicht angekommen. Wenn Sie bezahlt haben, warten Sie kurz und prüfen Sie erneut.',
    check: 'Erneut prüfen',
    failed: 'Es wurde nichts gekauft.',
    back: 'Das Geld geht an Sie zurück oder ist schon zurück.',
    ask: 'Das WLAN, in dem Sie gekauft haben, gibt es nicht mehr. Zeigen Sie dem Personal von {place} diese Nummer:',
  },
  ru: {
    title: 'Ваш платёж',
    open: 'Он ещё не поступил. Если вы заплатили, подождите немного и проверьте снова.',
    check: 'Проверить снова',
    failed: 'Ничего не куплено.',
    back: 'Деньги возвращаются вам или уже возвращены.',
    ask: 'Сети Wi-Fi, в которой вы купили доступ, больше нет. Покажите этот номер персоналу {place}:',
  },
  uk: {
    title: 'Ваш платіж',
    open: 'Він ще не надійшов. Якщо ви заплатили, трохи зачекайте й перевірте знову.',
    check: 'Перевірити знову',
    failed: 'Нічого не куплено.',
    back: 'Гроші повертаються вам або вже повернені.',
    ask: 'Мережі Wi-Fi, у якій ви купили доступ, більше немає. Покажіть цей номер персоналу {place}:',
  },
  fr: {
    title: 'Votre paiement',
    open: 'Il n’est pas encore arrivé. Si vous avez payé, attendez un instant et vérifiez à nouveau.',
    check: 'Vérifier à nouveau',
    failed: 'Rien n’a été acheté.',
    back: 'L’argent vous est rendu, ou l’a déjà été.',
    ask: 'Le Wi-Fi sur lequel vous avez acheté n’existe plus. Montrez ce numéro au personnel de {place} :',
  },
  es: {
    title: 'Su pago',
    open: 'Aún no ha llegado. Si ha pagado, espere un momento y compruébelo otra vez.',
    check: 'Comprobar otra vez',
    failed: 'No se ha comprado nada.',
    back: 'El dinero se le devuelve, o ya se le ha devuelto.',
    ask: 'El Wi-Fi en el que compró ya no existe. Muestre este número al personal de {place}:',
  },
  it: {
    title: 'Il tuo pagamento',
    open: 'Non è ancora arrivato. Se hai pagato, aspetta un momento e controlla di nuovo.',
    check: 'Controlla di nuovo',
    failed: 'Non è stato acquistato nulla.',
    back: 'Il denaro ti viene restituito, o lo è già stato.',
    ask: 'Il Wi-Fi su cui hai acquistato non c’è più. Mostra questo numero al personale di {place}:',
  },
  ar: {
    title: 'دفعتك',
    open: 'لم تصل بعد. إذا كنت قد دفعت، فانتظر قليلاً ثم تحقق مرة أخرى.',
    check: 'تحقق مرة أخرى',
    failed: 'لم يتم شراء أي شيء.',
    back: 'المبلغ في طريقه إليك أو أعيد إليك بالفعل.',
    ask: 'شبكة Wi-Fi التي اشتريت عليها لم تعد موجودة. أظهر هذا الرقم لموظفي {place}:',
  },
  fa: {
    title: 'پرداخت شما',
    open: 'هنوز نرسیده است. اگر پرداخت کرده‌اید، کمی صبر کنید و دوباره بررسی کنید.',
    check: 'بررسی دوباره',
    failed: 'چیزی خریداری نشد.',
    back: 'پول به شما بازمی‌گردد یا بازگشته است.',
    ask: 'وای‌فایی که در آن خرید کردید دیگر وجود ندارد. این شماره را به کارکنان {place} نشان دهید:',
  },
  zh: {
    title: '您的付款',
    open: '款项尚未到账。如果您已付款，请稍候再查看。',
    check: '再次查看',
    failed: '没有购买任何内容。',
    back: '款项正在退还给您，或已退还。',
    ask: '您购买时使用的 Wi-Fi 已不存在。请向 {place} 的工作人员出示此编号：',
  },
  ja: {
    title: 'お支払い',
    open: 'まだ届いていません。お支払い済みの場合は、少し待ってからもう一度確認してください。',
    check: 'もう一度確認',
    failed: '何も購入されていません。',
    back: '代金は返金中、または返金済みです。',
    ask: '購入時の Wi-Fi はなくなりました。{place} のスタッフにこの番号をお見せください：',
  },
};

/** What a payer reads whose router was deleted meanwhile: what became of the money, and whom to ask. */
export function payerPage(app: App, it: StoredPurchase, nonce: string): string {
  const { language, state } = it;
  const say = words[language];
  const plain = app.secrets.read(it.code);
  const receipt = write(
    'purchase_receipt',
    language,
    receiptData(it, plain === undefined ? '' : shownVoucherCode(plain)),
    '',
  );
  const over = state === 'failed' ? say.failed : say.back;
  // The way to use the code leads through the router, so it is left out.
  const lines = state === 'paid' ? receipt.paragraphs.slice(0, it.tax ? 2 : 1) : [state === 'open' ? say.open : over];
  const isUnclear = state === 'refused';
  const text = isUnclear ? '' : lines.map(line => `<p>${escapeHtml(line)}</p>`).join('');
  const again = state === 'open' ? `<p><a href="?">${escapeHtml(say.check)}</a></p>` : '';
  const ask = escapeHtml(say.ask.replace('{place}', it.location_name));
  return `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">
<title>${escapeHtml(say.title)}</title><style nonce="${nonce}">:root{color-scheme:light dark}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;box-sizing:border-box;background:light-dark(#eef1f5,#14171b);color:light-dark(#1a1d21,#f1f3f5);font:16px/1.5 system-ui,sans-serif}
main{width:100%;max-width:26rem;box-sizing:border-box;padding:1.75rem;border-radius:1rem;background:light-dark(#fff,#1f2429)}h1{margin:0;font-size:1.25rem}p{margin:.75rem 0}a{color:light-dark(#1f4fd8,#9db8ff);display:inline-block;min-height:1.5rem}code{overflow-wrap:anywhere}</style></head>
<body><main><h1>${escapeHtml(state === 'paid' ? receipt.heading : say.title)}</h1>${text}${again}<p>${ask}</p><p><code dir="ltr">${escapeHtml(it.id)}</code></p></main></body></html>`;
}
