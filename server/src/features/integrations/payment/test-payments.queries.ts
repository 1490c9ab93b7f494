import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** The books of the test provider. */
export interface TestPayment {
  reference: string;
  location_id: string | null;
  amount: number;
  currency: string;
  title: string;
  return_url: string;
  state: 'open' | 'paid' | 'failed';
  refunded: number;
  disputed: boolean;
}

export const insertTestPayment = (
  tx: Tx,
  it: Pick<TestPayment, 'reference' | 'location_id' | 'amount' | 'currency' | 'title' | 'return_url'>,
) =>
  tx.run(sql`
    insert into test_payments (reference, location_id, amount, currency, title, return_url)
    values (${it.reference}, ${it.location_id}, ${it.amount}, ${it.currency}, ${it.title}, ${it.return_url})
    on conflict do nothing`);

export const findTestPayment = (tx: Tx, reference: string) =>
  tx.maybe<TestPayment>(sql`
    select reference, location_id, amount, currency, title, return_url, state, refunded, disputed
    from test_payments where reference = ${reference}`);

/** A payment that was decided stays so. */
export const decideTestPayment = (tx: Tx, reference: string, state: 'paid' | 'failed') =>
  tx.run(sql`update test_payments set state = ${state} where reference = ${reference} and state = 'open'`);

export const refundTestPayment = (tx: Tx, reference: string) =>
  tx.run(sql`update test_payments set refunded = amount where reference = ${reference} and state = 'paid'`);
