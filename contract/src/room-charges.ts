import { z } from 'zod';
import { endpoint, one, page } from './endpoint.ts';
import { id, idParams, pageQuery, time } from './fields.ts';
import { roomChargeOutcomes, roomChargeStates } from './integration-names.ts';
import { currencies } from './units.ts';

/**
 * A charge to the room of a hotel guest. `amount`: in minor units, below 0 for a reversal. `unknown`: it was sent, and the line
 * broke before the answer. `answer`: the code with which the hotel system refused it.
 */
export const roomCharge = z.object({
  id,
  state: z.enum(roomChargeStates),
  amount: z.number(),
  currency: z.enum(currencies),
  words: z.string(),
  /** Null for callers who may not see visitors, and once the visitor was deleted. */
  visitor: z.object({ id, name: z.string(), room_number: z.string().nullable() }).nullable(),
  /** The purchase on the portal. Its guest was told of a refusal, so a refused charge is not sent again. */
  purchase_id: id.nullable(),
  number: z.number().nullable(),
  attempts: z.number(),
  answer: z.string().nullable(),
  created_at: time,
  sent_at: time.nullable(),
  answered_at: time.nullable(),
});
export type RoomCharge = z.output<typeof roomCharge>;

export const roomChargesApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/integration/:id/room-charges',
    access: 'view-integrations',
    summary: 'Charges to hotel rooms, newest first',
    params: idParams,
    query: z.object({ ...pageQuery(), state: z.enum(roomChargeStates).optional() }),
    reply: page(roomCharge),
  }),
  settle: endpoint({
    method: 'POST',
    path: '/v1/panel/integration/:id/room-charges/:chargeId/settle',
    access: 'update-integrations',
    summary:
      'Settle a charge whose outcome is unknown or that was refused: it is on the bill, send it anew, or cancel it',
    params: z.object({ id, chargeId: id }),
    body: z.object({ outcome: z.enum(roomChargeOutcomes) }),
    reply: one(roomCharge),
    status: 200,
  }),
} as const;
