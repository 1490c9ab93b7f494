import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cookiesOf, startVenue, stateOf, type Venue } from '#features/guests/testing/venue.ts';
import { packageJobs } from '#features/packages/public.ts';
import { returnPath } from '#features/packages/return-address.ts';
import { newId } from '#lib/ids.ts';
import type { Body } from '#test/harness.ts';
import { paymentBases } from './driver.ts';

/**
 * The three providers against stand-ins that were written from their published documentation. The stand-ins compute every
 * signature themselves, refuse requests that the documentation does not allow, and keep their own books.
 */

interface Book {
  id: string;
  amount: number;
  currency: string;
  paid: boolean;
  refunded: number;
  disputed: boolean;
  /** Where the provider sends a guest whose payment failed, if it has an address for that. */
  declinedUrl?: string;
}
interface StandIn {
  readonly books: Map<string, Book>;
  readonly refunds: () => number;
  /** A genuine notification about a payment: headers and body. */
  notify(reference: string): { headers: Record<string, string>; body: string };
  readonly problems: string[];
}

/** How often the stand-ins were asked, and until when their answers wait. */
const asked = { times: 0, waits: Promise.resolve() };

/** Whether the answers to refunds are lost. */
const answers = { areLost: false };

let venue: Venue;
const servers: ReturnType<typeof createServer>[] = [];
const read = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
};

async function serve(
  handle: (at: {
    method: string;
    path: string;
    query: URLSearchParams;
    headers: IncomingMessage['headers'];
    body: string;
  }) => [number, object],
): Promise<string> {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://x');
    const body = await read(request);
    asked.times += 1;
    await asked.waits;
    const { method = '', headers } = request;
    const [status, answer] = handle({ method, path: url.pathname, query: url.searchParams, headers, body });
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  servers.push(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const hmac = (key: string, text: string, encoding: 'hex' | 'base64') =>
  createHmac('sha256', key).update(text).digest(encoding);
const problem = (list: string[], text: string): [number, object] => {
  list.push(text);
  return [400, { status: 'failure', error: { message: text }, errorMessage: text, err_msg: text, err_no: '001' }];
};

const stripeKeys = { secret_key: 'sk_test_abc', webhook_secret: 'whsec_test' };
async function startStripe(): Promise<StandIn> {
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
  paymentBases.stripe = await serve(({ method, path, query, headers, body }) => {
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
    if (book && query.get('expand[]') === 'payment_intent.latest_charge') return [200, sessionOf(reference, book)];
    if (method === 'POST' && path === '/v1/refunds') {
      const paid = books.get(form.get('payment_intent')?.replace('pi_', '') ?? '');
      if (!paid?.paid) return problem(problems, 'no such payment_intent');
      refunds += 1;
      paid.refunded = paid.amount;
      return keep([200, { id: 're_1', status: 'succeeded', amount: paid.amount }]);
    }
    return problem(problems, `${method} ${path}`);
  });
  return {
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

const iyzicoKeys = { api_key: 'sandbox-key', secret_key: 'sandbox-secret' };
async function startIyzico(): Promise<StandIn> {
  const books = new Map<string, Book>();
  const problems: string[] = [];
  let refunds = 0;
  const decimal = (minor: number) => String(minor / 100);
  const sign = (...values: string[]) => hmac(iyzicoKeys.secret_key, values.join(':'), 'hex');
  paymentBases.iyzico = await serve(({ path, query, headers, body }) => {
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
      return answers.areLost ? [502, {}] : [200, { status: 'success' }];
    }
    return problem(problems, path);
  });
  return {
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

const paytrKeys = { merchant_id: '123456', merchant_key: 'key-of-paytr', merchant_salt: 'salt-of-paytr' };
async function startPaytr(): Promise<StandIn> {
  const books = new Map<string, Book>();
  const problems: string[] = [];
  let refunds = 0;
  const sign = (text: string) => hmac(paytrKeys.merchant_key, text, 'base64');
  paymentBases.paytr = await serve(({ path, body }) => {
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

const providers = [
  {
    slug: 'stripe',
    keys: stripeKeys,
    start: startStripe,
    received: '{"received":true}',
    wrong: { secret_key: 'sk_wrong' },
  },
  {
    slug: 'iyzico',
    keys: iyzicoKeys,
    start: startIyzico,
    received: '{"received":true}',
    wrong: { secret_key: 'wrong' },
  },
  { slug: 'paytr', keys: paytrKeys, start: startPaytr, received: 'OK', wrong: { merchant_key: 'wrong' } },
] as const;

let profile: string;
beforeAll(async () => {
  venue = await startVenue({ INTEGRATIONS_INSIDE: '1' });
  const paid_sale = { is_active: true, option: 'try', value: 50 };
  profile = (await venue.create('panel/location/user-profile', { name: 'Gün', location_id: venue.location, paid_sale }))
    .id;
  await venue.create('panel/package', {
    location_id: venue.location,
    profile_id: profile,
    name: { tr: 'Günlük' },
    price: 4990,
    currency: 'try',
    tax_rate: 1000,
    max_days: 3,
  });
}, 120_000);
afterAll(() => {
  for (const server of servers) server.close();
});

const post = (at: string, body: object) => venue.api.post(at, { token: venue.admin, body });
let people = 0;

/** Buys two days, up to the page of the provider. */
async function begin() {
  venue.newMac();
  const email = `kisi${++people}@example.com`;
  const query = new URLSearchParams({
    mac: venue.mac,
    ip: '10.5.50.9',
    login: 'http://10.5.50.1/login',
    orig: '',
    lang: 'tr',
    days: '2',
  });
  const [offer] = await venue.rows(sql`select id from packages`);
  const page = await venue.captive.get(`/w/${venue.nas}/buy?${query}&package=${offer!['id']}`);
  const form = { state: stateOf(page.html), lang: 'tr', email };
  const clicks = await Promise.all([
    venue.captive.post(`/w/${venue.nas}/buy`, form),
    venue.captive.post(`/w/${venue.nas}/buy`, form),
  ]);
  expect(
    clicks.map(it => it.status),
    clicks[0]!.html,
  ).toEqual([303, 303]);
  const now = async () => (await venue.rows(sql`select * from purchases where email = ${email}`))[0]!;
  return { now, purchase: await now(), cookie: cookiesOf(clicks[0]!) };
}

describe.each(providers)('$slug', ({ slug, keys, start, received, wrong }) => {
  let standIn: StandIn;
  let hook: string;
  beforeAll(async () => {
    standIn = await start();
    const [old] = await venue.rows(sql`select id from integrations`);
    if (old) await venue.api.delete(`panel/integration/${old['id']}`, { token: venue.admin });
    const body = {
      name: slug,
      location_id: venue.location,
      integration_id: slug,
      params: { connection: { type: slug, ...keys } },
    };
    const bad = await post('panel/integration', { ...body, params: { connection: { type: slug, ...keys, ...wrong } } });
    expect(bad.status, bad.text).toBe(422);
    const made = await venue.create('panel/integration', body);
    hook = new URL(made.hook_url).pathname;
    for (const secret of Object.values(keys).slice(-1)) expect(JSON.stringify(made)).not.toContain(secret);
    standIn.problems.length = 0;
  });
  const notify = async ({ headers, body }: { headers: Record<string, string>; body: string }) => {
    const answer = await fetch(venue.captive.url + hook, { method: 'POST', headers, body });
    return [answer.status, await answer.text()];
  };

  test('is asked for the amount once, and a signed notification, however often, connects the guest', async () => {
    const { now, purchase } = await begin();
    expect(
      [...standIn.books.values()].filter(it => it.id.replaceAll('-', '') === purchase['id'].replaceAll('-', '')),
    ).toHaveLength(1);
    const book = standIn.books.get(purchase['reference'])!;
    expect(book.amount).toBe(9980);
    // Before the payment, even a genuine notification changes nothing.
    expect(await notify(standIn.notify(purchase['reference']))).toEqual([200, received]);
    expect((await now())['state']).toBe('open');
    book.paid = true;
    const replayed = standIn.notify(purchase['reference']);
    expect(await Promise.all([1, 2, 3].map(() => notify(replayed)))).toEqual([1, 2, 3].map(() => [200, received]));
    expect(await now()).toMatchObject({ state: 'paid', amount: 9980, tax: 907 });
    expect(await venue.rows(sql`select 1 as n from sales where purchase_id = ${purchase['id']}`)).toHaveLength(1);
    expect(standIn.problems).toEqual([]);
  });

  test('is not impersonated: a forged, altered or stale notification is refused', async () => {
    const { now, purchase } = await begin();
    const { headers, body } = standIn.notify(purchase['reference']);
    const altered = body.replace('success', 'failed').replace('SUCCESS', 'FAILURE').replace('completed', 'expired');
    const otherDigit = (signature: string) => signature.replace(/.$/, last => (last === '0' ? '1' : '0'));
    const wronglySigned = Object.fromEntries(
      Object.entries(headers).map(([key, value]) => [
        key,
        /v1=|^[0-9a-f]{64}$/.test(value) ? otherDigit(value) : value,
      ]),
    );
    for (const forged of [
      { headers, body: altered },
      { headers, body: '' },
      { headers, body: '[]' },
    ])
      expect((await notify(forged))[0], forged.body).toBe(400);
    if (slug !== 'paytr') expect((await notify({ headers: wronglySigned, body }))[0]).toBe(400);
    if (slug === 'stripe') {
      const at = Math.floor(Date.now() / 1000) - 900;
      const stale = `t=${at},v1=${hmac(stripeKeys.webhook_secret, `${at}.${body}`, 'hex')}`;
      expect((await notify({ headers: { 'stripe-signature': stale }, body }))[0]).toBe(400);
    }
    expect((await now())['state']).toBe('open');
  });

  test('is asked twice at most for a guest who comes back a hundred times at once', async () => {
    const { now, purchase } = await begin();
    standIn.books.get(purchase['reference'])!.paid = true;
    const hold = Promise.withResolvers<void>();
    asked.waits = hold.promise;
    asked.times = 0;
    const back = returnPath(venue.api.app, purchase['tenant_id'], purchase['id']);
    const first = venue.captive.get(back);
    await expect.poll(() => asked.times).toBe(1);
    const others = Array.from({ length: 100 }, () => venue.captive.get(back));
    // Those are under way when a page that asks nothing is answered.
    await venue.captive.get('/healthz');
    expect(asked.times).toBe(1);
    hold.resolve();
    const answers = await Promise.all([first, ...others]);
    expect(new Set(answers.map(it => it.status))).toEqual(new Set([303]));
    expect(asked.times).toBeLessThan(20);
    expect((await now())['state']).toBe('paid');
  });

  test('that answers about a checkout which was replaced meanwhile gives no access for the new one', async () => {
    const { now, purchase } = await begin();
    standIn.books.get(purchase['reference'])!.paid = true;
    const hold = Promise.withResolvers<void>();
    asked.waits = hold.promise;
    asked.times = 0;
    const back = venue.captive.get(returnPath(venue.api.app, purchase['tenant_id'], purchase['id']));
    await expect.poll(() => asked.times).toBe(1);
    await venue.run(sql`update purchases set reference = 'another checkout' where id = ${purchase['id']}`);
    hold.resolve();
    expect((await back).status).toBe(303);
    expect((await now())['state']).toBe('open');
  });

  test('that reports another amount, currency or purchase gives no access', async () => {
    for (const [lie, problem] of [
      // PayTR is asked by the id of the purchase, and does not repeat it.
      ...(slug === 'paytr' ? [] : [[{ id: newId() }, 'reference'] as const]),
      [{ amount: 100 }, 'amount'],
      [{ currency: slug === 'paytr' ? 'EUR' : 'eur' }, 'currency'],
    ] as const) {
      const { now, purchase } = await begin();
      Object.assign(standIn.books.get(purchase['reference'])!, lie, { paid: true });
      await notify(standIn.notify(purchase['reference']));
      expect(await now()).toMatchObject({ state: 'refused', problem, paid_at: null });
    }
  });

  test('pays back once, and the guest loses the days', async () => {
    const { now, purchase } = await begin();
    standIn.books.get(purchase['reference'])!.paid = true;
    await notify(standIn.notify(purchase['reference']));
    const before = standIn.refunds();
    const both = await Promise.all(
      [1, 2].map(() => post(`panel/purchase/${purchase['id']}/refund`, { reason: 'İstek' })),
    );
    expect(both.map(it => it.status).sort()).toEqual([200, 422]);
    expect(standIn.refunds()).toBe(before + 1);
    expect(await now()).toMatchObject({ state: 'refunded' });
    const [{ sum }] = (await venue.rows(
      sql`select sum(total) as sum from sales where purchase_id = ${purchase['id']}`,
    )) as [Body];
    expect(Number(sum)).toBe(0);
  });

  test('that sends the guest back unpaid gets a new order from it, and a payment of the old page still counts', async () => {
    if (slug !== 'paytr') return;
    const { now, purchase, cookie } = await begin();
    const book = standIn.books.get(purchase['reference'])!;
    const { pathname, search } = new URL(book.declinedUrl!);
    const back = await venue.captive.get(pathname + search);
    expect(back.status).toBe(303);
    const page = await venue.captive.get(back.headers.get('location')!, { cookie });
    expect([page.status, page.html.includes(purchase['pay_url'])], page.html).toEqual([422, false]);
    const [, again] = /href="(\/w\/\w+\/buy\?[^"]*)"/.exec(page.html)!;
    const [offer] = await venue.rows(sql`select id from packages`);
    const chosen = `${again!.replaceAll('&amp;', '&')}&days=2&package=${offer!['id']}`;
    const form = { state: stateOf((await venue.captive.get(chosen, { cookie })).html), lang: 'tr' };
    const email = `yine${people}@example.com`;
    expect((await venue.captive.post(`/w/${venue.nas}/buy`, { ...form, email }, { cookie })).status).toBe(303);
    const [second] = await venue.rows(sql`select pay_url, state from purchases where email = ${email}`);
    expect(second).toMatchObject({ state: 'open', pay_url: expect.not.stringMatching(purchase['pay_url']) });
    book.paid = true;
    await notify(standIn.notify(purchase['reference']));
    expect(await now()).toMatchObject({ state: 'paid' });
    expect(standIn.problems).toEqual([]);
  });

  test('whose answer to a refund was lost is asked what became of it, and pays nothing twice', async () => {
    if (slug !== 'iyzico') return;
    const { now, purchase } = await begin();
    standIn.books.get(purchase['reference'])!.paid = true;
    await notify(standIn.notify(purchase['reference']));
    const before = standIn.refunds();
    answers.areLost = true;
    const answer = await post(`panel/purchase/${purchase['id']}/refund`, { reason: 'İstek' });
    answers.areLost = false;
    expect([answer.status, answer.body.data.state], answer.text).toEqual([200, 'refunding']);
    await venue.run(sql`update purchases set check_at = now() where id = ${purchase['id']}`);
    await packageJobs[0]!.run(venue.api.app);
    expect(await now()).toMatchObject({ state: 'refunded' });
    expect(standIn.refunds()).toBe(before + 1);
  });

  test('has the same totals as the report, the package, the list and the file, also over midnight in two time zones', async () => {
    const read = async (at: string) => (await venue.api.get(`panel/${at}`, { token: venue.admin })).body.data;
    const minor = (total: number) => Math.round(total * 100);
    const inTry = (totals: Body[]) => minor(totals.find(it => it['currency'] === 'try')?.['total'] ?? 0);
    /** What each figure says now, in minor units. */
    const figures = async () => {
      const [of] = (await read('purchase/totals')).filter((it: Body) => it['provider'] === slug);
      const file = await venue.api.get(`panel/purchase?download=true&provider=${slug}`, {
        token: venue.admin,
        language: 'en',
      });
      const lines = file.text.trim().split('\r\n').slice(1);
      const cells = lines.map(it => it.split(',')).filter(it => it[1]);
      return {
        provider: [...standIn.books.values()].reduce(
          (sum, it) => sum + (it.paid && !it.disputed ? it.amount - it.refunded : 0),
          0,
        ),
        report: inTry((await read('reports/total-sales-current-year')).totals),
        package: (await read('package'))[0].revenue[0]?.amount ?? 0,
        list: (of?.paid ?? 0) - (of?.refunded ?? 0),
        file: cells.reduce((sum, it) => sum + minor(Number(it[7])) - minor(Number(it[11])), 0),
      };
    };
    const move = (zone: string) =>
      venue.run(sql`update locations set time_zone = ${zone} where id = ${venue.location}`);
    const pay = async () => {
      const { purchase, now } = await begin();
      standIn.books.get(purchase['reference'])!.paid = true;
      await notify(standIn.notify(purchase['reference']));
      expect((await now())['state']).toBe('paid');
      return purchase;
    };
    const today = async () => inTry((await read('reports/total-sales-today')).totals);
    const before = await figures();
    // It is never the same day on these two islands.
    await move('Pacific/Kiritimati');
    const tomorrow = await today();
    const bought = [await pay(), await pay(), await pay()];
    expect((await today()) - tomorrow).toBe(3 * 9980);
    await move('Pacific/Pago_Pago');
    const yesterday = await today();
    bought.push(await pay());
    expect((await post(`panel/purchase/${bought[0]!['id']}/refund`, { reason: 'İade' })).status).toBe(200);
    expect((await today()) - yesterday).toBe(0);
    let left = 3;
    if (slug === 'stripe') {
      standIn.books.get(bought[1]!['reference'])!.disputed = true;
      await notify(standIn.notify(bought[1]!['reference']));
      const [row] = await venue.rows(sql`select state from purchases where id = ${bought[1]!['id']}`);
      expect(row).toEqual({ state: 'charged-back' });
      left = 2;
    }
    const days = await venue.rows<{ day: string; zone: string }>(sql`
      select s.sold_on::text as day, (s.sold_at at time zone 'Pacific/Kiritimati')::date::text as zone from sales s
      where s.purchase_id = ${bought[2]!['id']}
      union all
      select s.sold_on::text, (s.sold_at at time zone 'Pacific/Pago_Pago')::date::text from sales s
      where s.purchase_id = ${bought[3]!['id']} or s.reverses is not null and s.purchase_id = ${bought[0]!['id']}`);
    expect(days).toHaveLength(3);
    for (const { day, zone } of days) expect(day).toBe(zone);
    await move('Europe/Istanbul');
    const after = await figures();
    const same = left * 9980;
    for (const name of ['provider', 'report', 'package', 'list', 'file'] as const)
      expect(after[name] - before[name], name).toBe(same);
  });

  test('that is away makes no purchase, and does not lose one', async () => {
    const { now, purchase } = await begin();
    standIn.books.get(purchase['reference'])!.paid = true;
    const base = paymentBases[slug];
    paymentBases[slug] = 'http://127.0.0.1:1';
    const answer = await notify(standIn.notify(purchase['reference']));
    expect([answer[0], (await now())['state']]).toEqual([503, 'open']);
    paymentBases[slug] = base;
    await notify(standIn.notify(purchase['reference']));
    expect((await now())['state']).toBe('paid');
  });
});
