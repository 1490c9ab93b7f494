import type { Body } from '#test/harness.ts';
import { type Book, disturbed, hmac, problem, type StandIn, serve } from './stand-in.ts';

export const iyzicoKeys = { api_key: 'sandbox-key', secret_key: 'sandbox-secret' };
export async function startIyzico(): Promise<StandIn> {
  const books = new Map<string, Book>();
  const problems: string[] = [];
  let refunds = 0;
  const decimal = (minor: number) => String(minor / 100);
  const sign = (...values: string[]) => hmac(iyzicoKeys.secret_key, values.join(':'), 'hex');
  const server = await serve(({ path, query, headers, body }) => {
    const random = String(headers['x-iyzi-rnd'] ?? '');
    const given = Buffer.from(String(headers.authorization ?? '').replace('IYZWSv2 ', ''), 'base64').toString();
    const signature = hmac(iyzicoKeys.secret_key, random + path + body, 'hex');
    if (given !== `apiKey:${iyzicoKeys.api_key}&randomKey:${random}&signature:${signature}`) return [401, {}];
    if (path === '/v2/reporting/payment/details') {
      const paymentId = query.get('paymentId') ?? '';
      const book = books.get(paymentId.replace('pay-', ''));
      if (!book?.paid) return [200, { status: 'failure', errorMessage: 'no such payment' }];
      const paymentRefundStatus =
        book.refunded >= book.amount ? 'TOTALLY_REFUNDED' : book.refunded ? 'PARTIALLY_REFUNDED' : 'NOT_REFUNDED';
      return [200, { status: 'success', payments: [{ paymentId, basketId: book.id, paymentRefundStatus }] }];
    }
    const json = JSON.parse(body) as Body;
    if (path === '/payment/bin/check') return [200, { status: 'success' }];
    if (path === '/payment/iyzipos/checkoutform/initialize/auth/ecom') {
      const needed = [
        'id',
        'name',
        'surname',
        'email',
        'identityNumber',
        'registrationAddress',
        'ip',
        'city',
        'country',
      ];
      if (needed.some(key => !json.buyer?.[key]) || !json.billingAddress?.contactName || !json.callbackUrl)
        return problem(problems, 'buyer');
      if (json.price !== json.paidPrice || json.basketItems[0].price !== json.price) return problem(problems, 'price');
      if (JSON.stringify(json.enabledInstallments) !== '[1]') return problem(problems, 'instalments');
      const token = `token-${books.size + 1}`;
      books.set(token, {
        id: json.basketId,
        amount: Math.round(Number(json.price) * 100),
        currency: String(json.currency).toLowerCase(),
        paid: false,
        refunded: 0,
        disputed: false,
      });
      const paymentPageUrl = `https://sandbox-cpp.iyzipay.com?token=${token}`;
      return [
        200,
        {
          status: 'success',
          token,
          conversationId: json.conversationId,
          paymentPageUrl,
          signature: sign(json.conversationId, token),
        },
      ];
    }
    if (path === '/payment/iyzipos/checkoutform/auth/ecom/detail') {
      const book = books.get(json.token);
      if (!book?.paid) return [200, { status: 'failure', errorCode: '5115', errorMessage: 'not paid' }];
      const [price, currency] = [decimal(book.amount), book.currency.toUpperCase()];
      return [
        200,
        {
          status: 'success',
          paymentStatus: 'SUCCESS',
          paymentId: `pay-${json.token}`,
          currency,
          basketId: book.id,
          conversationId: json.conversationId,
          paidPrice: book.amount / 100,
          price: book.amount / 100,
          token: json.token,
          fraudStatus: 1,
          itemTransactions: [{ paymentTransactionId: `item-${json.token}` }],
          signature: sign(
            'SUCCESS',
            `pay-${json.token}`,
            currency,
            book.id,
            json.conversationId,
            price,
            price,
            json.token,
          ),
        },
      ];
    }
    if (path === '/payment/refund') {
      const book = books.get(String(json.paymentTransactionId).replace('item-', ''));
      if (!book || book.refunded) return [200, { status: 'failure', errorMessage: 'no such payment' }];
      refunds += 1;
      book.refunded = Math.round(Number(json.price) * 100);
      // The money goes back, but the answer does not arrive.
      return disturbed.losesRefunds ? [502, {}] : [200, { status: 'success' }];
    }
    return problem(problems, path);
  });
  return {
    ...server,
    books,
    problems,
    refunds: () => refunds,
    notify: reference => {
      const it = {
        iyziEventType: 'CHECKOUT_FORM_AUTH',
        iyziPaymentId: 1,
        paymentConversationId: 'c',
        status: 'SUCCESS',
      };
      const text = `${iyzicoKeys.secret_key}${it.iyziEventType}${it.iyziPaymentId}${reference}${it.paymentConversationId}${it.status}`;
      const body = JSON.stringify({ ...it, token: reference });
      return { headers: { 'x-iyz-signature-v3': hmac(iyzicoKeys.secret_key, text, 'hex') }, body };
    },
  };
}
