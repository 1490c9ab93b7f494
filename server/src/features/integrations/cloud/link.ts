import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CloudHotelConnection } from '@portico/contract/integration-kinds.ts';
import type { Tx } from '#db/tenant.ts';
import { sendSoon } from '#features/sessions/public.ts';
import type { App } from '#lib/app.ts';
import { steadyNow } from '#lib/steady-clock.ts';
import { reportFailure, reportRecovery } from '../health.ts';
import * as links from '../hotel/hotel-links.queries.ts';
import { countGuests } from '../hotel/hotel-stays.queries.ts';
import { applyHotelStays, type HotelStay } from '../hotel/stays.ts';
import { problemOf } from '../problems.ts';
import { findReadEmpty } from '../stays.queries.ts';
import { hotelHookUrl } from './hook.ts';
import { cloudHotel } from './hotels.ts';
import { cloudPace } from './pace.ts';
import { bookNext } from './postings.ts';
import { type CloudHotel, TooManyRequests } from './system.ts';

const maxRetryMs = 300_000;
/** The guests are applied again even if the list is the same. */
const applyAgainMs = 3_600_000;
/** A system that suddenly has no guests must report that for this time. */
const emptyMs = 900_000;
const fewGuests = 3;
const noteEveryMs = 10_000;

class LeaseLost extends Error {}

/** Reads the guests of a hotel system in the cloud again and again, and at once when it reports a change. */
export class CloudLink {
  readonly version: string;
  /** The process still holds the lease until then. */
  heldUntil = steadyNow() + 12_000;
  private readonly app: App;
  private readonly it: links.LinkRow;
  private readonly owner: string;
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>;
  private readAt = 0;
  private quietUntil = 0;
  private failures = 0;
  private isAsked = false;
  private startedReadAt = 0;
  private applied = { digest: '', at: 0 };
  private emptySince = 0;
  private notedAt = 0;
  private isUp = false;
  private isSubscribed = false;

  constructor(app: App, it: links.LinkRow, owner: string) {
    this.app = app;
    this.it = it;
    this.owner = owner;
    this.version = it.updated_at;
    this.running = this.run();
  }

  /** Ends with the request that is under way: a read is given up, a charge is not. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** The system, or a guest who was not found, asked for a read. */
  ask(isAsked: boolean): void {
    this.isAsked = isAsked;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    let hotel: CloudHotel | undefined;
    let connection: CloudHotelConnection | undefined;
    while (!signal.aborted) {
      try {
        if (steadyNow() < this.heldUntil && steadyNow() >= this.quietUntil) {
          connection ??= JSON.parse(this.app.secrets.decrypt(this.it.connection)) as CloudHotelConnection;
          hotel ??= cloudHotel(this.app, connection);
          if (this.isDue()) await this.read(hotel);
          if (this.isUp) await this.book(hotel, connection);
        }
      } catch (error) {
        if (!signal.aborted) await this.report(error);
      }
      await sleep(cloudPace.tickMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** A charge that fails says nothing about the link: it waits, and operators see it. */
  private async book(hotel: CloudHotel, connection: CloudHotelConnection): Promise<void> {
    try {
      await bookNext(work => this.held(work), hotel, connection, this.it.id);
    } catch (error) {
      if (error instanceof LeaseLost || error instanceof TooManyRequests) throw error;
      this.app.log.warn({ err: error, integration: this.it.id }, 'a charge to a room is in doubt');
    }
  }

  private isDue(): boolean {
    const isAsked = this.isAsked && steadyNow() - this.startedReadAt > cloudPace.hintMs;
    return steadyNow() >= this.readAt || isAsked;
  }

  /** A transaction that counts only while this process holds the link. */
  private async held<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.app.db.withTenant(this.it.tenant_id, async tx => {
      if (!(await links.holdsLink(tx, this.it.id, this.owner))) throw new LeaseLost();
      return work(tx);
    });
  }

  private async read(hotel: CloudHotel): Promise<void> {
    this.startedReadAt = steadyNow();
    const { isAsked } = this;
    const stays = await hotel.readStays(this.it.time_zone, this.stopping.signal);
    if (this.stopping.signal.aborted) return;
    await this.apply(stays, isAsked);
    if (isAsked) this.isAsked = false;
    this.failures = 0;
    this.readAt = steadyNow() + cloudPace.readMs;
    await this.subscribe(hotel);
  }

  /** A read that was asked for is applied even if the list is the same: a guest who waits may have been changed here. */
  private async apply(stays: readonly HotelStay[], isAsked: boolean): Promise<void> {
    const digest = createHash('sha256').update(JSON.stringify(stays)).digest('hex');
    const isSame = !isAsked && digest === this.applied.digest && steadyNow() - this.applied.at < applyAgainMs;
    this.emptySince = stays.length ? 0 : this.emptySince || steadyNow();
    const isChange = !isSame && (await this.applyStays(stays));
    if (isChange) {
      this.applied = { digest, at: steadyNow() };
      sendSoon(this.app);
    } else if (isAsked || !this.isUp || steadyNow() - this.notedAt > noteEveryMs) await this.held(tx => this.note(tx));
    this.isUp = true;
  }

  /** Returns false if an empty list is not believed yet. */
  private async applyStays(stays: readonly HotelStay[]): Promise<boolean> {
    const profiles = (JSON.parse(this.app.secrets.decrypt(this.it.connection)) as CloudHotelConnection).profiles;
    return this.held(async tx => {
      const isSudden = stays.length === 0 && steadyNow() - this.emptySince < emptyMs;
      if (isSudden && (await countGuests(tx, this.it.id)) > fewGuests) return false;
      const last_read_empty = stays.length === 0 || (await findReadEmpty(tx, this.it.id));
      const hotel = { ...this.it, profiles, last_read_empty };
      await applyHotelStays(this.app, tx, hotel, stays, { isComplete: true });
      await this.note(tx);
      return true;
    });
  }

  private async note(tx: Tx): Promise<void> {
    this.notedAt = steadyNow();
    await links.setLinkState(tx, this.it.id, this.owner, 'up');
    await links.noteRecord(tx, this.it.id, this.owner, (steadyNow() - this.startedReadAt) / 1000);
    await reportRecovery(tx, this.it);
  }

  /** Reports only shorten the time until a change is seen, so that a hotel without them works as well. */
  private async subscribe(hotel: CloudHotel): Promise<void> {
    if (this.isSubscribed || !hotel.subscribe) return;
    this.isSubscribed = true;
    const { tenant_id: tenantId, id: integrationId, slug } = this.it;
    const url = hotelHookUrl(this.app, slug, { tenantId, integrationId });
    if (!url.startsWith('https:')) return;
    await hotel
      .subscribe(url)
      .catch((error: unknown) =>
        this.app.log.warn({ err: error, integration: integrationId }, 'changes of a hotel are not reported'),
      );
  }

  private async report(error: unknown): Promise<void> {
    if (error instanceof LeaseLost) return;
    this.failures += 1;
    const backOff = Math.min(maxRetryMs, cloudPace.firstRetryMs * 2 ** Math.min(10, this.failures - 1));
    const waitMs = error instanceof TooManyRequests ? error.waitMs : backOff;
    this.quietUntil = steadyNow() + waitMs * (1 + Math.random() / 4);
    // The system works, and only wants to be asked less often.
    if (error instanceof TooManyRequests) return;
    this.isUp = false;
    this.readAt = 0;
    await this.held(async tx => {
      await links.setLinkState(tx, this.it.id, this.owner, 'connecting');
      await reportFailure(tx, this.it, problemOf(error));
    }).catch((cause: unknown) =>
      this.app.log.warn({ err: cause, integration: this.it.id }, 'a hotel link is not noted'),
    );
  }
}
