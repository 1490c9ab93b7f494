import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { startShop } from './testing/shop.ts';

const { venue, read, post, purchases, sales, purchaseOf, reconcile, newEmail, begin, decide, bought } =
  await startShop();

describe('a refund', () => {
  test('ends the access, ends the session, and is a reversal in the report; the second one is refused', async () => {
    const { purchase, email } = await bought();
    const [row] = await purchaseOf(email);
    const answer = await post(`panel/purchase/${purchase['id']}/refund`, { reason: 'Memnun kalmadı' });
    expect(answer.body.data).toMatchObject({ state: 'refunded', refund_reason: 'Memnun kalmadı' });
    const visitor = (await read(`panel/client/${row!['visitor_id']}`)).data;
    expect(Date.parse(visitor.session_end_at)).toBeLessThanOrEqual(Date.now() + 1000);
    const commands = await venue.rows(
      sql`select k.kind from session_commands k join online_sessions s on s.id = k.session_id where s.visitor_id = ${row!['visitor_id']}`,
    );
    expect(commands.some(it => it['kind'] === 'end')).toBe(true);
    const [reversal] = (await read(`panel/client/${row!['visitor_id']}/sales`)).data;
    expect(reversal).toMatchObject({ total: -14.97, days: -3, reason: 'Memnun kalmadı' });
    const desk = (await read(`panel/voucher-desk?location_id=${venue.location}`)).data;
    expect(desk.refunds[0], 'the desk shows it').toMatchObject({ amount: 1497, reason: 'Memnun kalmadı' });
    const again = await post(`panel/purchase/${purchase['id']}/refund`, { reason: 'x' });
    expect([again.status, Object.keys(again.body.errors)]).toEqual([422, ['reason']]);
  });

  test('and a sale of the staff stay apart: an online sale is reversed by its refund only', async () => {
    await bought();
    const sale = (await sales()).find(it => it.purchase_id && it.total > 0)!;
    const answer = await post(`panel/reports/sales/${sale.id}/reverse`, { reason: 'x' });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['days']]);
  });

  test('by the bank or at the provider is found by asking', async () => {
    const disputed = await bought(1);
    venue.newMac();
    const returned = await bought(1);
    venue.newMac();
    const partly = await bought(1);
    await venue.run(sql`update test_payments set refunded = amount - 1 where reference = ${partly.purchase['id']}`);
    await venue.run(sql`update test_payments set disputed = true where reference = ${disputed.purchase['id']}`);
    await venue.run(sql`update test_payments set refunded = amount where reference = ${returned.purchase['id']}`);
    // Its router was deleted since.
    await venue.run(sql`update purchases set device_id = null where id = ${returned.purchase['id']}`);
    await venue.run(sql`update purchases set check_at = now() where state = 'paid'`);
    await reconcile();
    expect((await purchaseOf(disputed.email))[0]).toMatchObject({ state: 'charged-back' });
    expect((await purchaseOf(returned.email))[0]).toMatchObject({ state: 'refunded' });
    expect((await purchaseOf(partly.email))[0], 'not all of it').toMatchObject({ state: 'paid', returned: 498 });
    const total = await venue.rows(
      sql`select sum(total) as sum from sales where purchase_id = ${disputed.purchase['id']}`,
    );
    expect(Number(total[0]!['sum'])).toBe(0);
  });
});

test('a provider is not asked any more about a purchase that was declined, or that is a day old and unpaid', async () => {
  const declined = await begin(newEmail(), 1);
  await decide(declined.purchase, 'decline');
  venue.newMac();
  const old = await begin(newEmail(), 1);
  await venue.run(
    sql`update purchases set created_at = created_at - interval '25 hours' where id = ${old.purchase['id']}`,
  );
  const both = sql`id in (${declined.purchase['id']}, ${old.purchase['id']})`;
  await venue.run(sql`update purchases set check_at = now() where ${both}`);
  await reconcile();
  const next = await venue.rows(sql`select check_at from purchases where ${both}`);
  expect(next).toEqual([{ check_at: null }, { check_at: null }]);
});

describe('a provider that lies', () => {
  test.each([
    ['amount', sql`amount = 1`, '1 eur'],
    ['currency', sql`currency = 'usd'`, '499 usd'],
  ] as const)('about the %s gives no access, and is shown', async (problem, change, reported) => {
    const email = newEmail();
    const { purchase } = await begin(email, 1);
    await venue.run(sql`update test_payments set ${change} where reference = ${purchase['id']}`);
    await venue.captive.get(await decide(purchase, 'pay'));
    const shown = (await purchases()).find(it => it.id === purchase['id']);
    expect(shown).toMatchObject({ state: 'refused', problem, reported });
    expect(await venue.rows(sql`select 1 as n from sales where purchase_id = ${purchase['id']}`)).toHaveLength(0);
    const refund = await post(`panel/purchase/${purchase['id']}/refund`, { reason: 'Tutar yanlış' });
    expect(refund.body.data.state).toBe('refunded');
  });
});
