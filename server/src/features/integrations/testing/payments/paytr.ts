import { type Book, hmac, problem, type StandIn, serve } from './stand-in.ts';

export const paytrKeys = { merchant_id: '123456', merchant_key: 'key-of-paytr', merchant_salt: 'salt-of-paytr' };
export async function startPaytr(): Promise<StandIn> {
  const books = new Map<string, Book>();
  const problems: string[] = [];
  let refunds = 0;
  const sign = (text: string) => hmac(paytrKeys.merchant_key, text, 'base64');
  const server = await serve(({ path, body }) => {
    const form = new URLSearchParams(body);
    const of = (...keys: string[]) => keys.map(key => form.get(key) ?? '').join('');
    const order = form.get('merchant_oid') ?? '';
    const { merchant_salt } = paytrKeys;
    if (form.get('merchant_id') !== paytrKeys.merchant_id) return problem(problems, 'merchant_id');
    if (path === '/odeme/api/get-token') {
      const fields = [
        'merchant_id',
        'user_ip',
        'merchant_oid',
        'email',
        'payment_amount',
        'user_basket',
        'no_installment',
        'max_installment',
        'currency',
        'test_mode',
      ];
      if (form.get('paytr_token') !== sign(of(...fields) + merchant_salt)) return problem(problems, 'paytr_token');
      if (!/^[A-Za-z0-9]{1,64}$/.test(order) || books.has(order)) return problem(problems, 'merchant_oid');
      if (
        !of('user_name') ||
        !of('user_address') ||
        !of('user_phone') ||
        !of('merchant_ok_url') ||
        !of('merchant_fail_url')
      )
        return problem(problems, 'missing');
      books.set(order, {
        id: order,
        amount: Number(form.get('payment_amount')),
        currency: form.get('currency')!,
        paid: false,
        refunded: 0,
        disputed: false,
        declinedUrl: form.get('merchant_fail_url')!,
      });
      return [200, { status: 'success', token: `tok${order}` }];
    }
    const book = books.get(order);
    if (path === '/odeme/durum-sorgu') {
      if (form.get('paytr_token') !== sign(of('merchant_id', 'merchant_oid') + merchant_salt))
        return problem(problems, 'paytr_token');
      if (!book?.paid)
        return [200, { status: 'error', err_no: '004', err_msg: 'merchant_oid ile basarili odeme bulunamadi' }];
      const payment_total = (book.amount / 100).toFixed(2).replace('.', ',');
      const returns = book.refunded ? [{ return_amount: book.refunded / 100 }] : [];
      return [
        200,
        { status: 'success', payment_amount: payment_total, payment_total, currency: book.currency, returns },
      ];
    }
    if (path === '/odeme/iade') {
      if (form.get('paytr_token') !== sign(of('merchant_id', 'merchant_oid', 'return_amount') + merchant_salt))
        return problem(problems, 'paytr_token');
      if (!book?.paid) return [200, { status: 'error', err_no: '004', err_msg: 'not paid' }];
      refunds += 1;
      book.refunded += Math.round(Number(form.get('return_amount')) * 100);
      return [200, { status: 'success' }];
    }
    return problem(problems, path);
  });
  return {
    ...server,
    books,
    problems,
    refunds: () => refunds,
    notify: order => {
      const total = String(books.get(order)!.amount);
      const hash = sign(order + paytrKeys.merchant_salt + 'success' + total);
      const body = new URLSearchParams({
        merchant_oid: order,
        status: 'success',
        total_amount: total,
        hash,
      }).toString();
      return { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body };
    },
  };
}
