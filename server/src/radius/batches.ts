import { code } from '@portico/radius/attributes.ts';
import { steadyNow } from '#lib/steady-clock.ts';
import type { Answers } from './answers.ts';
import type { Arrival, Waiting } from './arrival.ts';
import { acceptAttributes, rejectAttributes } from './reply-attributes.ts';
import type { AccountingRecord, AuthorizeDecision, AuthorizeRequest, RadiusHandlers } from './types.ts';

/** Passes batches to the handlers and replies to each request once the batch is committed. */
export const createBatches = (answers: Answers, handlers: RadiusHandlers, staleRequestMs: number) => {
  const { count, failed } = handlers;

  // The others of the batch get their replies in any case.
  const answer = (waiting: Arrival, reply: () => void): void => {
    try {
      reply();
    } catch (error) {
      failed('reply', error);
      answers.forget([waiting], 'unanswerable');
    }
  };

  const decide = (waiting: Arrival, decision: AuthorizeDecision | undefined): void =>
    answer(waiting, () => {
      if (!decision) throw new Error('authorize answered fewer decisions than requests');
      if (decision.outcome === 'ignore') answers.forget([waiting], 'ignored');
      else if (decision.outcome === 'reject')
        answers.reply(waiting, { code: code['Access-Reject'], attributes: rejectAttributes(decision.replyMessage) });
      else answers.reply(waiting, { code: code['Access-Accept'], attributes: acceptAttributes(decision) });
    });

  // No reply instead of a Reject: routers retry, and the database may be back by then.
  const abandon = (kind: Arrival['kind'], batch: readonly Arrival[], where: string, error: unknown): void => {
    count('radius_batches_total', { listener: kind, outcome: 'failed' });
    failed(where, error);
    answers.forget(batch, 'batch_failed');
  };

  const freshOf = <T extends Arrival>(all: readonly T[]): readonly T[] => {
    const oldest = steadyNow() - staleRequestMs;
    const isFresh = (waiting: T): boolean => waiting.since >= oldest;
    if (all.every(isFresh)) return all;
    answers.forget(
      all.filter(waiting => !isFresh(waiting)),
      'stale',
    );
    return all.filter(isFresh);
  };

  return {
    authorize: async (all: readonly Waiting<AuthorizeRequest>[]): Promise<void> => {
      const batch = freshOf(all);
      if (batch.length === 0) return;
      try {
        const decisions = await handlers.authorize(batch.map(waiting => waiting.item));
        count('radius_batches_total', { listener: 'auth', outcome: 'committed' });
        batch.forEach((waiting, i) => {
          const decision = decisions[i];
          if (!(decision instanceof Promise)) return decide(waiting, decision);
          void decision.then(
            it => decide(waiting, it),
            error => abandon('auth', [waiting], 'authorize', error),
          );
        });
      } catch (error) {
        abandon('auth', batch, 'authorize', error);
      }
    },
    account: async (batch: readonly Waiting<AccountingRecord>[]): Promise<void> => {
      try {
        await handlers.account(batch.map(waiting => waiting.item));
        count('radius_batches_total', { listener: 'acct', outcome: 'committed' });
        for (const waiting of batch)
          answer(waiting, () => answers.reply(waiting, { code: code['Accounting-Response'], attributes: [] }));
      } catch (error) {
        abandon('acct', batch, 'account', error);
      }
    },
  };
};
