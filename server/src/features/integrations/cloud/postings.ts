import type { CloudHotelConnection } from '@portico/contract/integration-kinds.ts';
import type { Tx } from '#db/tenant.ts';
import { type Answer, answerCharge, doubtCharges, takeCharge } from '#features/room-charges/public.ts';
import { problemOf } from '../problems.ts';
import { cloudPace } from './pace.ts';
import { type CloudHotel, type CloudPosting, NotSent } from './system.ts';

/** Charges to rooms of a hotel system in the cloud, one after another. */

/** Longer than a request may take, so that one of a process that died has been carried out or lost. */
const answerSeconds = 60;
/** So often one charge is tried before an operator has to look at the bill. */
const maxTries = 20;

type Held = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/**
 * Sends the next charge, and returns whether there was one. It is marked as sent before that. Later tries first look whether it
 * is on the bill, so that it comes to it once.
 */
export async function bookNext(
  held: Held,
  hotel: CloudHotel,
  connection: CloudHotelConnection,
  integrationId: string,
): Promise<boolean> {
  const { currency } = connection;
  if (!currency) return false;
  const charge = await held(async tx => {
    await doubtCharges(tx, integrationId, { olderThan: answerSeconds, retryIn: cloudPace.chargeRetrySeconds });
    return takeCharge(tx, integrationId, true, maxTries);
  });
  if (!charge) return false;
  const referenceOf = (it: { id: string; number: number | null }) => `P${it.number}-${it.id.slice(-12)}`;
  const posting: CloudPosting = {
    reservation: charge.reservation,
    amount: charge.amount,
    currency,
    words: charge.words,
    // An operator who has a charge sent anew gives it another number.
    reference: referenceOf(charge),
    ...(charge.charge && { charge: { reference: referenceOf(charge.charge), bill: charge.charge.bill } }),
    firstSentAt: new Date(charge.sent_at),
  };
  try {
    const booked = charge.in_doubt ? await hotel.findBooked(posting) : undefined;
    const answer: Answer = booked ?? (await hotel.book(posting));
    await held(tx => answerCharge(tx, integrationId, charge.number, answer, cloudPace.chargeRetrySeconds));
  } catch (error) {
    if (error instanceof NotSent && !charge.in_doubt) {
      const answer: Answer = { state: 'waiting', answer: error.code };
      await held(tx => answerCharge(tx, integrationId, charge.number, answer, cloudPace.chargeRetrySeconds));
    } else await held(tx => doubtCharges(tx, integrationId, { olderThan: 0, retryIn: cloudPace.chargeRetrySeconds }));
    throw problemOf(error);
  }
  return true;
}
