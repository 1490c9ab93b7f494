import { codeName } from '@portico/radius/attributes.ts';
import { encodeReply } from '@portico/radius/encode.ts';
import type { Arrival } from './arrival.ts';
import { createDuplicates } from './duplicates.ts';
import type { RadiusHandlers } from './types.ts';

/** Replies to devices, kept for retransmissions. */
export interface Answers {
  /** Whether the request is new. An answered one gets the same reply again; one in progress gets its reply later. */
  readonly isNew: (arrival: Arrival) => boolean;
  readonly reply: (to: Arrival, answer: { code: number; attributes: Buffer[] }) => void;
  /** Drops requests without a reply, so that the router's next attempt counts as new. */
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
      const earlier = duplicates[arrival.kind].begin(...keyOf(arrival));
      if (earlier === 'new') return true;
      const state = earlier === 'in_progress' ? earlier : 'answered';
      count('radius_duplicates_total', { listener: arrival.listener, state });
      arrival.answer(earlier === 'in_progress' ? undefined : earlier);
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
