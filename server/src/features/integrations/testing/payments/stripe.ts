import { type Book, disturbed, hmac, problem, type StandIn, serve } from './stand-in.ts';

export const stripeKeys = { secret_key: 'sk_test_abc', webhook_secret: 'whsec_test' };
export async function startStripe(): Promise<StandIn> {
  const books = new Map<string, Book>();
  const answers = new Map<string, [number, object]>();
  const problems: string[] = [];
  let refunds = 0;
  const sessionOf = (reference: string, { id, amount, currency, paid, refunded, disputed }: Book) => ({
    id: reference,
    object: 'checkout.session',
    client_reference_id: id,
    amount_total: amount,
    currency,
    status: paid ? 'complete' : 'open',
    payment_status: paid ? 'paid' : 'unpaid',
    url: `https://checkout.stripe.com/c/pay/${reference}`,
    payment_intent: paid
      ? { id: `pi_${reference}`, latest_charge: { id: 'ch_1', amount_refunded: refunded, disputed } }
      : null,
  });
  const server = await serve(({ method, path, query, headers, body }) => {
    if (headers.authorization !== `Bearer ${stripeKeys.secret_key}`)
      return [401, { error: { message: 'Invalid API Key' } }];
    const form = new URLSearchParams(body);
    const once = String(headers['idempotency-key'] ?? '');
    const known = answers.get(once);
    if (known) return known;
    const keep = (answer: [number, object]): [number, object] => {
      if (once) answers.set(once, answer);
      return answer;
    };
    if (path === '/v1/account') return [200, { id: 'acct_1' }];
    if (method === 'POST' && path === '/v1/checkout/sessions') {
      const [amount, expires] = [form.get('line_items[0][price_data][unit_amount]'), Number(form.get('expires_at'))];
      if (form.get('mode') !== 'payment' || !amount || form.get('line_items[0][quantity]') !== '1')
        return problem(problems, 'line items');
      if (!form.get('line_items[0][price_data][product_data][name]') || !form.get('success_url'))
        return problem(problems, 'missing');
      if (expires < Date.now() / 1000 + 1800 || expires > Date.now() / 1000 + 86_400)
        return problem(problems, 'expires_at');
      if (!once) return problem(problems, 'no idempotency key');
      const book = {
        id: form.get('client_reference_id')!,
        amount: Number(amount),
        currency: form.get('line_items[0][price_data][currency]')!,
        paid: false,
        refunded: 0,
        disputed: false,
      };
      const reference = `cs_test_${books.size + 1}`;
      books.set(reference, book);
      return keep([200, sessionOf(reference, book)]);
    }
    const reference = /^\/v1\/checkout\/sessions\/(\w+)$/.exec(path)?.[1] ?? '';
    const book = books.get(reference);
    // Stripe's own library numbers its lists.
    const expanded = query.get('expand[]') ?? query.get('expand[0]');
    if (book && expanded === 'payment_intent.latest_charge') return [200, sessionOf(reference, book)];
    if (method === 'POST' && path === '/v1/refunds') {
      const paid = books.get(form.get('payment_intent')?.replace('pi_', '') ?? '');
      if (!paid?.paid) return problem(problems, 'no such payment_intent');
      // Stripe remembers refusals as well, and answers a repeated request with them.
      if (disturbed.refusesRefunds) return keep([400, { error: { message: 'insufficient funds' } }]);
      refunds += 1;
      paid.refunded = paid.amount;
      return keep([200, { id: 're_1', status: 'succeeded', amount: paid.amount }]);
    }
    return problem(problems, `${method} ${path}`);
  });
  return {
    ...server,
    books,
    problems,
    refunds: () => refunds,
    notify: reference => {
      const at = Math.floor(Date.now() / 1000);
      const body = JSON.stringify({
        id: 'evt_1',
        type: 'checkout.session.completed',
        data: { object: { id: reference } },
      });
      return {
        headers: { 'stripe-signature': `t=${at},v1=${hmac(stripeKeys.webhook_secret, `${at}.${body}`, 'hex')}` },
        body,
      };
    },
  };
}
