import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { FiasConnection } from '@portico/contract/integration-kinds.ts';
import type { App } from '#lib/app.ts';
import { outboundAddress } from '#lib/outbound.ts';
import { AddressRefused } from '#lib/outbound-http.ts';
import { steadyNow } from '#lib/steady-clock.ts';
import { IntegrationError } from '../problems.ts';
import { wantedRecords } from './fields.ts';
import { type FiasRecord, Frames, parseRecord, stamp, writeRecord } from './records.ts';

const connectMs = 5000;
/** A hotel system that does not start the link by itself is asked to. */
const greetMs = 2000;
/** Descriptions of the link without an answer, after which the other side is no hotel system. */
const maxStarts = 10;
/** Starts of one line. Each is answered, and a system that starts for ever without reading would fill the memory. */
const maxStartsOfLine = 1000;

/** One TCP connection to a hotel system: its records in order, and the start of the link. */
export class FiasLine {
  /** The other side has confirmed the link. */
  isUp = false;
  lastHeard = steadyNow();
  private starts = 0;
  private allStarts = 0;
  private readonly frames = new Frames();
  private readonly socket: Socket;
  private readonly it: FiasConnection;
  private readonly timeZone: string;

  private constructor(socket: Socket, it: FiasConnection, timeZone: string) {
    this.socket = socket;
    this.it = it;
    this.timeZone = timeZone;
  }

  static async open(app: Pick<App, 'settings'>, it: FiasConnection, timeZone: string): Promise<FiasLine> {
    const address = await outboundAddress(it.host, app.settings.INTEGRATIONS_INSIDE);
    if (!address) throw new AddressRefused('this address is not allowed');
    const socket = connect({ host: address, port: it.port, keepAlive: true, noDelay: true });
    const timer = setTimeout(() => socket.destroy(new IntegrationError('timed_out')), connectMs);
    try {
      await once(socket, 'connect');
    } finally {
      clearTimeout(timer);
    }
    const line = new FiasLine(socket, it, timeZone);
    setTimeout(() => line.starts === 0 && line.send('LS', []), greetMs).unref();
    return line;
  }

  /** On a broken line nothing is sent. */
  send(type: string, fields: readonly (readonly [string, string | number])[], at = new Date()): void {
    if (this.socket.destroyed || !this.socket.writable) return;
    this.socket.write(writeRecord(type, [...fields, ...stamp(this.timeZone, at)], this.it.encoding));
  }

  close(reason?: Error): void {
    this.socket.destroy(reason);
  }

  /** Tells the other side that the link ends, and closes it. */
  end(): void {
    this.send('LE', []);
    this.socket.end();
    setTimeout(() => this.socket.destroy(), 500).unref();
  }

  /**
   * The records of the other side besides those that start the link. A confirmed start gives a record `LA`. Rejects when the
   * line breaks, and when the other side ends the link.
   */
  async *records(): AsyncGenerator<FiasRecord> {
    for await (const chunk of this.socket as AsyncIterable<Buffer>) {
      for (const bytes of this.frames.push(chunk)) {
        const record = parseRecord(bytes, this.it.encoding);
        if (!record) continue;
        this.lastHeard = steadyNow();
        if (record.type === 'LS') this.describe();
        else if (record.type === 'LE') throw new IntegrationError('unreachable', 'LE');
        else if (record.type === 'LA' && this.starts === 0) this.describe();
        else {
          const begins = record.type === 'LA' && !this.isUp;
          if (begins) this.isUp = true;
          if (record.type === 'LA') this.starts = 1;
          if (record.type !== 'LA' || begins) yield record;
        }
      }
    }
    throw new IntegrationError('unreachable', 'the line was closed');
  }

  /** The hotel system starts the link, or starts it again: it gets the list of wanted records and fields. */
  private describe(): void {
    this.isUp = false;
    if (++this.allStarts > maxStartsOfLine) throw new IntegrationError('bad_answer', 'LS without end');
    if (++this.starts > maxStarts) throw new IntegrationError('bad_answer', 'LS without LA');
    const now = stamp(this.timeZone);
    const write = (type: string, fields: readonly (readonly [string, string])[]) =>
      this.socket.write(writeRecord(type, fields, this.it.encoding));
    write('LD', [...now, ['V#', '1.0'], ['IF', 'WW']]);
    for (const [type, fields] of wantedRecords(this.it))
      write('LR', [
        ['RI', type],
        ['FL', fields],
      ]);
    write('LA', now);
  }
}
