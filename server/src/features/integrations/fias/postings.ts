import type { FiasConnection } from '@portico/contract/integration-kinds.ts';
import type { Tx } from '#db/tenant.ts';
import { type Answer, answerCharge, doubtCharges, takeCharge } from '#features/room-charges/public.ts';
import type { FiasLine } from './line.ts';
import type { FiasRecord } from './records.ts';

/** Charges to rooms over one line, one after another. */

const answerSeconds = 30;
const retrySeconds = 60;
/** So often one number is sent before an operator has to look at the bill. */
const maxRepeats = 20;

/** Answers that say "not now": the night audit is running, or the hotel system is busy. */
const later = new Set(['NA', 'RY', 'NR']);

const answerOf = (code: string): Answer =>
  code === 'OK' ? { state: 'posted' } : { state: later.has(code) ? 'waiting' : 'refused', answer: code.slice(0, 8) };

/** Charges that were sent over an earlier connection get no answer any more. */
export const doubtAll = (tx: Tx, integrationId: string) =>
  doubtCharges(tx, integrationId, { olderThan: 0, retryIn: 0 });

/** Sends the next charge. It is marked as sent before that, so that a crash leaves it in doubt instead of sending it anew. */
export async function sendNext(
  held: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
  line: FiasLine,
  connection: FiasConnection,
  integrationId: string,
): Promise<void> {
  const posting = await held(async tx => {
    await doubtCharges(tx, integrationId, { olderThan: answerSeconds, retryIn: retrySeconds });
    return takeCharge(tx, integrationId, connection.repeats, maxRepeats);
  });
  if (!posting) return;
  line.send(
    'PS',
    [
      ['RN', posting.room ?? ''],
      ['G#', posting.reservation],
      ['PT', 'C'],
      ['TA', posting.amount],
      ['P#', posting.number],
      ['CT', posting.words.slice(0, 40)],
    ],
    new Date(posting.sent_at),
  );
}

/** An answer names the number of its posting. Other records are ignored. */
export async function takeAnswer(tx: Tx, integrationId: string, { fields }: FiasRecord): Promise<void> {
  const { 'P#': number = '', AS: code } = fields;
  if (!code || !/^\d{1,12}$/.test(number)) return;
  await answerCharge(tx, integrationId, Number(number), answerOf(code), retrySeconds);
}
