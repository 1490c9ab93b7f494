import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MessageKey } from '@portico/contract/field-messages.ts';
import type { Printer } from '@portico/contract/printers.ts';
import { outboundAddress } from '#lib/outbound.ts';

type PrinterProblem = Extract<MessageKey, `printer_${string}`>;

/** Why nothing, or not everything, was printed. */
export class PrinterError extends Error {
  readonly code: PrinterProblem;
  constructor(code: PrinterProblem) {
    super(code);
    this.code = code;
  }
}

/** Tests change these, because machines are slow at times. */
export const patience = { connectMs: 4000, answerMs: 1000, receiptMs: 15_000, closeMs: 3000 };
/** A printer serves one connection at a time, so another desk may have it for a moment. */
const connects = 3;
const againMs = 1000;

// Real-time status (DLE EOT), and the paper status once everything before it is printed (GS r).
const askOffline = [0x10, 0x04, 0x02];
const askPaper = [0x10, 0x04, 0x04];
const askPrinted = [0x1d, 0x72, 0x01];
const isStatus = (byte: number): boolean => (byte & 0x93) === 0x12;
const paperEnds = 0x60;
const coverIsOpen = 0x04;
const stoppedForPaper = 0x20;
const hasError = 0x40;
const printedWithoutPaper = 0x0c;

async function open({ host, port }: Pick<Printer, 'host' | 'port'>, allowInside: boolean): Promise<Socket> {
  const address = await outboundAddress(host, allowInside).catch(() => null);
  if (address === undefined) throw new PrinterError('printer_address');
  if (address === null) throw new PrinterError('printer_away');
  for (let attempt = 1; ; attempt += 1) {
    const socket = connect({ host: address, port, noDelay: true });
    const timer = setTimeout(() => socket.destroy(new Error('timed out')), patience.connectMs);
    try {
      await once(socket, 'connect');
      return socket;
    } catch (error) {
      const isBusy = (error as { code?: unknown }).code === 'ECONNREFUSED';
      if (!isBusy || attempt >= connects) throw new PrinterError('printer_away');
      await sleep(againMs);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** A connection that can be asked for a byte. */
class Line {
  private readonly socket: Socket;
  private waiting: ((byte: number | undefined) => void) | undefined;
  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (bytes: Buffer) => this.waiting?.(bytes.at(-1)));
    socket.on('close', () => this.waiting?.(undefined));
    socket.on('error', () => this.waiting?.(undefined));
  }

  get isOpen(): boolean {
    return this.socket.writable && !this.socket.destroyed;
  }

  send(bytes: Uint8Array): void {
    if (this.isOpen) this.socket.write(bytes);
  }

  /** Undefined: no answer in time. */
  ask(bytes: readonly number[], ms: number): Promise<number | undefined> {
    if (!this.isOpen) return Promise.resolve(undefined);
    return new Promise(resolve => {
      const timer = setTimeout(() => this.waiting?.(undefined), ms);
      this.waiting = byte => {
        clearTimeout(timer);
        this.waiting = undefined;
        resolve(byte);
      };
      this.socket.write(Uint8Array.from(bytes));
    });
  }

  /** Sends what is left, and waits for the other side to take it. Returns whether it did. */
  async end(): Promise<boolean> {
    if (!this.isOpen) return false;
    const timer = setTimeout(() => this.socket.destroy(), patience.closeMs);
    const isTaken = await new Promise<boolean>(resolve => {
      this.socket.once('close', () => resolve(false));
      this.socket.end(() => resolve(true));
    });
    clearTimeout(timer);
    this.socket.destroy();
    return isTaken;
  }
}

/** Whether the printer answers questions about its state. Throws when it cannot print. */
async function checkState(line: Line): Promise<boolean> {
  const paper = await line.ask(askPaper, patience.answerMs);
  if (!line.isOpen) throw new PrinterError('printer_away');
  if (paper === undefined || !isStatus(paper)) return false;
  if (paper & paperEnds) throw new PrinterError('printer_paper');
  const offline = (await line.ask(askOffline, patience.answerMs)) ?? 0;
  if (offline & coverIsOpen) throw new PrinterError('printer_cover');
  if (offline & stoppedForPaper) throw new PrinterError('printer_paper');
  if (offline & hasError) throw new PrinterError('printer_failed');
  return true;
}

/**
 * Prints receipts, one after another. A printer that reports its state is asked before the first and after each, so that an
 * empty roll is noticed. With other printers only the connection is checked.
 */
export async function sendReceipts(
  printer: Pick<Printer, 'host' | 'port'>,
  receipts: readonly Uint8Array[],
  allowInside: boolean,
): Promise<void> {
  const socket = await open(printer, allowInside);
  const line = new Line(socket);
  try {
    const answers = await checkState(line);
    for (const receipt of receipts) {
      line.send(receipt);
      if (!answers) continue;
      const printed = await line.ask(askPrinted, patience.receiptMs);
      if (printed !== undefined && !(printed & printedWithoutPaper)) continue;
      if (printed === undefined && line.isOpen) await checkState(line);
      throw new PrinterError(printed === undefined ? 'printer_stopped' : 'printer_paper');
    }
    if (!(await line.end())) throw new PrinterError('printer_stopped');
  } finally {
    socket.destroy();
  }
}
