import { codeName } from '@portico/radius/attributes.ts';
import { encodeReply } from '@portico/radius/encode.ts';
import type { Arrival } from './arrival.ts';
import { createDuplicates } from './duplicates.ts';
import type { RadiusHandlers } from './types.ts';

/** What goes back to devices, remembered for those that ask again. */
export interface Answers {
  /** Whether the request is new. One that was answered gets the same answer, one under way its answer later. */
  readonly isNew: (arrival: Arrival) => boolean;
  readonly reply: (to: Arrival, answer: { code: number; attributes: Buffer[] }) => void;
  /** No answer, and as if it had never come: the router's next attempt is taken as new. */
  readonly forget: (batch: readonly Arrival[], reason: string) => void;
  readonly drop: (arrival: Arrival, reason: string) => void;
  readonly remembered: () => number;
}

const keyOf = ({ packet, socket }: Arrival): [key: string, authenticator: string] => [
  `${socket}|${packet.id}`,
  packet.authenticator.toString('latin1'),
];

export const createAnswers = ({ count }: Pick<RadiusHandlers, 'count'>): Answers => {
  const duplicates = { auth: createDuplicates(), acct: createDuplicates() };

  const drop: Answers['drop'] = (arrival, reason) => {
    count('radius_dropped_total', { listener: arrival.listener, reason });
    arrival.answer(undefined, reason);
  };

  return {
    isNew: arrival => {
      const met = duplicates[arrival.kind].begin(...keyOf(arrival));
      if (met === 'new') return true;
      count('radius_duplicates_total', { listener: arrival.listener, state: met === 'in_progress' ? met : 'answered' });
      arrival.answer(met === 'in_progress' ? undefined : met);
      return false;
    },
    reply: (to, answer) => {
      const bytes = encodeReply(to.packet, { ...answer, secret: to.device.secret });
      duplicates[to.kind].finish(...keyOf(to), bytes);
      to.answer(bytes);
      count('radius_replies_total', { listener: to.listener, code: codeName(answer.code) ?? String(answer.code) });
    },
    forget: (batch, reason) => {
      for (const waiting of batch) {
        duplicates[waiting.kind].forget(...keyOf(waiting));
        drop(waiting, reason);
      }
    },
    drop,
    remembered: () => duplicates.auth.size() + duplicates.acct.size(),
  };
};
