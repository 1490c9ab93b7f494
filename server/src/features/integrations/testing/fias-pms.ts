import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/**
 * A hotel system that speaks FIAS as its specification describes. It starts the link and wants a description before it says LA.
 * It sends its guests when asked, and books postings, each number once. It is written without the product's code.
 */

type Fields = Record<string, string>;
const stx = 2;
const etx = 3;

const pairs = (text: string): { type: string; fields: Fields } => {
  const [type = '', ...parts] = text.split('|');
  return { type, fields: Object.fromEntries(parts.filter(Boolean).map(part => [part.slice(0, 2), part.slice(2)])) };
};

export interface Posting {
  readonly room: string;
  readonly reservation: string;
  readonly amount: number;
  readonly number: string;
  readonly text: string;
}

export async function startFiasPms() {
  /** In-house guests by reservation number, as the fields of their GI record. */
  const guests = new Map<string, Fields>();
  const bill: Posting[] = [];
  const booked = new Map<string, string>();
  const heard: string[] = [];
  const lines = new Set<Socket>();
  const wants = new Map<string, string[]>();
  const pms = {
    port: 0,
    guests,
    bill,
    heard,
    /** Every connection there ever was. */
    connections: 0,
    /** How often all guests were sent. */
    swaps: 0,
    /** How often the line breaks once a posting is booked, before its answer. */
    breaksAfterPosting: 0,
    /** How often the line breaks when a posting arrives, before it is booked. */
    breaksBeforePosting: 0,
    /** The answer to postings. */
    answer: 'OK',
    /** Sends nothing at all. */
    isMute: false,
    get isLinked() {
      return lines.size > 0 && wants.size > 0;
    },
    raw: (bytes: string | Buffer) => {
      for (const line of lines) line.write(bytes);
    },
    send: (type: string, fields: Fields) => {
      for (const line of lines) write(line, type, fields);
    },
    breakLine: () => {
      for (const line of lines) line.destroy();
    },
    checkIn: (reservation: string, fields: Fields) => {
      guests.set(reservation, { 'G#': reservation, ...fields });
      pms.send('GI', guests.get(reservation)!);
    },
    change: (reservation: string, fields: Fields) => {
      const before = guests.get(reservation)!;
      const after = { ...before, ...fields };
      guests.set(reservation, after);
      pms.send('GC', { ...after, ...(after['RN'] !== before['RN'] && { RO: before['RN']! }) });
    },
    checkOut: (reservation: string) => {
      const { RN = '' } = guests.get(reservation) ?? {};
      guests.delete(reservation);
      pms.send('GO', { RN, 'G#': reservation });
    },
    stop: async () => {
      pms.breakLine();
      server.close();
      await once(server, 'close');
    },
  };

  /** Sends only the fields that the other side asked for. */
  function write(line: Socket, type: string, fields: Fields): void {
    const wanted = wants.get(type);
    if (['GI', 'GC', 'GO', 'NS', 'NE'].includes(type) && !wanted) return;
    const parts = Object.entries(fields).filter(([id]) => !wanted || wanted.includes(id));
    line.write(`\x02${[type, ...parts.map(([id, value]) => id + value)].join('|')}|\x03`);
  }

  function take(line: Socket, text: string): void {
    heard.push(text);
    const { type, fields } = pairs(text);
    if (type === 'LR') wants.set(fields['RI']!, (fields['FL'] ?? '').match(/../g) ?? []);
    else if (type === 'LA') write(line, 'LA', { DA: '261124', TI: '120000' });
    else if (type === 'LS') write(line, 'LS', { DA: '261124', TI: '120000' });
    else if (type === 'DR') {
      write(line, 'DS', {});
      for (const guest of guests.values()) write(line, 'GI', { ...guest, SF: '' });
      write(line, 'DE', {});
      pms.swaps += 1;
    } else if (type === 'PS') post(line, fields);
  }

  function post(line: Socket, fields: Fields): void {
    if (pms.breaksBeforePosting > 0) {
      pms.breaksBeforePosting -= 1;
      line.destroy();
      return;
    }
    const { RN = '', TA = '', CT = '' } = fields;
    const [number, reservation] = [fields['P#'] ?? '', fields['G#'] ?? ''];
    const known = booked.get(number);
    const answer = known ?? (guests.has(reservation) ? pms.answer : 'NG');
    if (!known) {
      if (answer === 'OK') {
        booked.set(number, answer);
        bill.push({ room: RN, reservation, amount: Number(TA), number, text: CT });
      }
    }
    if (pms.breaksAfterPosting > 0) {
      pms.breaksAfterPosting -= 1;
      line.destroy();
      return;
    }
    write(line, 'PA', { RN, AS: answer, 'P#': number });
  }

  const server = createServer(line => {
    pms.connections += 1;
    lines.add(line);
    wants.clear();
    let kept = Buffer.alloc(0);
    line.on('data', (chunk: Buffer) => {
      kept = Buffer.concat([kept, chunk]);
      for (let end = kept.indexOf(etx); end >= 0; end = kept.indexOf(etx)) {
        const start = kept.indexOf(stx);
        take(line, kept.subarray(start + 1, end).toString('utf8'));
        kept = kept.subarray(end + 1);
      }
    });
    line.on('error', () => undefined);
    line.on('close', () => lines.delete(line));
    if (!pms.isMute) write(line, 'LS', { DA: '261124', TI: '120000' });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  pms.port = typeof address === 'object' && address ? address.port : 0;
  return pms;
}
export type FiasPms = Awaited<ReturnType<typeof startFiasPms>>;
