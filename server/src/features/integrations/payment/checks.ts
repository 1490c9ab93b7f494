import { counter } from '#lib/metrics.ts';
import type { PaymentSource } from './account.ts';
import type { Order, Outcome } from './driver.ts';

const checks = counter('portico_payment_checks_total', 'Questions to payment providers, by provider and outcome', [
  'provider',
  'outcome',
]);

/** Asks what became of a payment, and counts the question. */
export async function confirmCounted(source: PaymentSource, order: Order): Promise<Outcome> {
  const { provider } = source;
  try {
    const outcome = await source.confirm(order);
    checks.inc({ provider, outcome: 'answered' });
    return outcome;
  } catch (error) {
    checks.inc({ provider, outcome: 'failed' });
    throw error;
  }
}
