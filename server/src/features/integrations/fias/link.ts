import { setTimeout as sleep } from 'node:timers/promises';
import type { FiasConnection } from '@portico/contract/integration-kinds.ts';
import type { Tx } from '#db/tenant.ts';
import { sendSoon } from '#features/sessions/public.ts';
import type { App } from '#lib/app.ts';
import { steadyNow } from '#lib/steady-clock.ts';
import { reportFailure, reportRecovery } from '../health.ts';
import * as links from '../hotel/hotel-links.queries.ts';
import { findStays } from '../hotel/hotel-stays.queries.ts';
import { applyHotelStays, checkOut, type Hotel, type HotelStay } from '../hotel/stays.ts';
import { IntegrationError, problemOf } from '../problems.ts';
import { findReadEmpty } from '../stays.queries.ts';
import { stayOf } from './fields.ts';
import { FiasLine } from './line.ts';
import { doubtAll, sendNext, takeAnswer } from './postings.ts';
import type { FiasRecord } from './records.ts';

const maxGuests = 20_000;
const tickMs = 1000;
/** After so long without a record the other side is asked whether it is alive, and after twice as long the line is dead. */
const quietMs = 45_000;
/** All guests are asked for again, in case the hotel system forgot to report a change. */
const swapAgainMs = 6 * 3_600_000;
const noteEveryMs = 10_000;
const firstRetryMs = 500;
const maxRetryMs = 60_000;
/** A line that lasted so long was a good one: the next attempt is made at once. */
const goodMs = 30_000;

const todayAt = (timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(Date.now());

/** Another process holds the link now. */
class LeaseLost extends Error {}

/** Holds the link to one hotel system: connects, applies what the system reports, and connects again after a break. */
export class FiasLink {
  readonly version: string;
  /** The process still holds the lease until then. */
  heldUntil = 0;
  private readonly app: App;
  private readonly it: links.LinkRow;
  private readonly owner: string;
  private readonly stopping = new AbortController();
  private line: FiasLine | undefined;
  private readonly running: Promise<void>;
  /** The guests of a swap that is under way, by reservation and person. */
  private swap: Map<string, HotelStay> | undefined;
  /** The hotel system takes no charges during its night audit. */
  private isAuditing = false;
  private sending: Promise<void> | undefined;
  private notedAt = 0;
  private swappedAt = 0;

  constructor(app: App, it: links.LinkRow, owner: string) {
    this.app = app;
    this.it = it;
    this.owner = owner;
    this.version = it.updated_at;
    this.heldUntil = steadyNow() + 12_000;
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.line?.end();
    await this.running;
  }

  private async run(): Promise<void> {
    let wait = firstRetryMs;
    while (!this.stopping.signal.aborted) {
      const startedAt = steadyNow();
      try {
        await this.hold();
      } catch (error) {
        if (this.stopping.signal.aborted) return;
        await this.report(error);
      }
      wait = steadyNow() - startedAt > goodMs ? firstRetryMs : Math.min(maxRetryMs, wait * 2);
      await sleep(wait * (0.75 + Math.random() / 2), undefined, { signal: this.stopping.signal }).catch(
        () => undefined,
      );
    }
  }

  /** One line, from its start to its end. */
  private async hold(): Promise<void> {
    const connection = JSON.parse(this.app.secrets.decrypt(this.it.connection)) as FiasConnection;
    this.swap = undefined;
    this.isAuditing = false;
    const line = await FiasLine.open(this.app, connection, this.it.time_zone);
    this.line = line;
    const ticks = setInterval(() => this.tick(line, connection), tickMs);
    try {
      if (this.stopping.signal.aborted) return;
      for await (const record of line.records()) await this.take(line, connection, record);
    } finally {
      clearInterval(ticks);
      line.close();
      this.line = undefined;
      await this.sending;
    }
  }

  private tick(line: FiasLine, connection: FiasConnection): void {
    const quiet = steadyNow() - line.lastHeard;
    if (steadyNow() > this.heldUntil) line.close(new LeaseLost());
    else if (quiet > 2 * quietMs) line.close(new IntegrationError('timed_out'));
    else if (quiet > quietMs && Math.floor(quiet / tickMs) % 10 === 0) line.send('LA', []);
    if (line.isUp && steadyNow() - this.swappedAt > swapAgainMs) this.askForAll(line);
    if (line.isUp && !this.isAuditing && !this.sending && connection.currency) {
      this.sending = sendNext(work => this.held(work), line, connection, this.it.id)
        .catch((error: unknown) => line.close(error as Error))
        .finally(() => {
          this.sending = undefined;
        });
    }
  }

  private askForAll(line: FiasLine): void {
    this.swappedAt = steadyNow();
    line.send('DR', []);
  }

  /** A transaction that counts only while this process holds the link. */
  private async held<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.app.db.withTenant(this.it.tenant_id, async tx => {
      if (!(await links.holdsLink(tx, this.it.id, this.owner))) throw new LeaseLost();
      return work(tx);
    });
  }

  private async take(line: FiasLine, connection: FiasConnection, record: FiasRecord): Promise<void> {
    if (record.type === 'LA') {
      await this.held(async tx => {
        await links.setLinkState(tx, this.it.id, this.owner, 'up');
        await doubtAll(tx, this.it.id);
        await reportRecovery(tx, this.it);
      });
      this.askForAll(line);
    } else if (record.type === 'DS') this.swap = new Map();
    else if (record.type === 'DE') await this.finishSwap(connection);
    else if (record.type === 'GI' || record.type === 'GC') await this.takeGuest(connection, record);
    else if (record.type === 'GO') await this.takeCheckOut(record);
    else if (record.type === 'PA') await this.held(tx => takeAnswer(tx, this.it.id, record));
    else if (record.type === 'NS' || record.type === 'NE') this.isAuditing = record.type === 'NS';
    if (steadyNow() - this.notedAt > noteEveryMs) {
      this.notedAt = steadyNow();
      await this.held(tx => links.noteRecord(tx, this.it.id, this.owner));
    }
  }

  private hotelOf(connection: FiasConnection): Hotel {
    return { ...this.it, profiles: connection.profiles };
  }

  private async takeGuest(connection: FiasConnection, record: FiasRecord): Promise<void> {
    const { 'G#': reservation, 'G+': person } = record.fields;
    if (!reservation) return;
    const today = todayAt(this.it.time_zone);
    const key = `${reservation}|${person ?? ''}`;
    if (this.swap && record.type === 'GI') {
      this.keepInSwap(key, stayOf(this.app, connection, record, today));
      return;
    }
    await this.held(async tx => {
      const all = await findStays(tx, this.it.id, [reservation], this.it.time_zone);
      const known = all.find(it => !it.left_at && (!person || it.profile_number === person));
      const stay = stayOf(this.app, connection, record, today, known);
      this.keepInSwap(key, stay);
      await applyHotelStays(this.app, tx, this.hotelOf(connection), [stay], { isComplete: false });
    });
    sendSoon(this.app);
  }

  private keepInSwap(key: string, stay: HotelStay): void {
    this.swap?.set(key, stay);
    if (this.swap && this.swap.size > maxGuests) throw new IntegrationError('too_many_rows');
  }

  private async takeCheckOut({ fields }: FiasRecord): Promise<void> {
    const reservation = fields['G#'];
    if (!reservation) return;
    for (const key of this.swap?.keys() ?? []) if (key.startsWith(`${reservation}|`)) this.swap!.delete(key);
    await this.held(tx => checkOut(tx, this.it.id, reservation));
    sendSoon(this.app);
  }

  /** Only a swap that began and ended on one line says who is in the house. */
  private async finishSwap(connection: FiasConnection): Promise<void> {
    const { swap } = this;
    this.swap = undefined;
    if (!swap) return;
    await this.held(async tx => {
      const hotel = { ...this.hotelOf(connection), last_read_empty: await findReadEmpty(tx, this.it.id) };
      await applyHotelStays(this.app, tx, hotel, [...swap.values()], { isComplete: true });
      await links.noteRecord(tx, this.it.id, this.owner, 0);
      await reportRecovery(tx, this.it);
    });
    sendSoon(this.app);
  }

  private async report(error: unknown): Promise<void> {
    if (error instanceof LeaseLost) return;
    await this.held(async tx => {
      await links.setLinkState(tx, this.it.id, this.owner, 'connecting');
      await doubtAll(tx, this.it.id);
      await reportFailure(tx, this.it, problemOf(error));
    }).catch((cause: unknown) =>
      this.app.log.warn({ err: cause, integration: this.it.id }, 'a hotel link is not noted'),
    );
  }
}
