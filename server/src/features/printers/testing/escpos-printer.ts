import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/**
 * A receipt printer that reads ESC/POS as Epson publishes it. It knows texts in the chosen code page, QR codes by GS ( k, cuts,
 * and questions about its state. It is written without the product's code, and refuses commands that it does not know.
 */

/** The upper halves of the code pages that the tests use, as far as they use them. */
const pages: Record<number, Record<number, string>> = {
  0: {},
  13: {
    0x9e: 'Ş',
    0x9f: 'ş',
    0xa7: 'ğ',
    0xa6: 'Ğ',
    0x8d: 'ı',
    0x98: 'İ',
    0x81: 'ü',
    0x9a: 'Ü',
    0x94: 'ö',
    0x99: 'Ö',
    0x87: 'ç',
    0x80: 'Ç',
  },
  48: { 0xde: 'Ş', 0xfe: 'ş', 0xf0: 'ğ', 0xfd: 'ı', 0xdd: 'İ', 0xfc: 'ü', 0xf6: 'ö', 0xe7: 'ç' },
};

export interface Receipt {
  readonly text: string;
  readonly qr: readonly string[];
}

export async function startPrinter(host: string, port = 9100) {
  const receipts: Receipt[] = [];
  const unknown: string[] = [];
  const lines = new Set<Socket>();
  const printer = {
    host,
    port,
    receipts,
    unknown,
    /** Answers no questions, as cheap ones do. */
    isMute: false,
    hasPaper: true,
    isOpen: false,
    /** The roll ends after so many receipts. */
    roll: Number.POSITIVE_INFINITY,
    /** The connection breaks after so many bytes. */
    breaksAfter: Number.POSITIVE_INFINITY,
    stop: async () => {
      for (const line of lines) line.destroy();
      server.close();
      await once(server, 'close');
    },
  };

  const server = createServer(line => {
    lines.add(line);
    line.on('error', () => undefined);
    line.on('close', () => lines.delete(line));
    let bytes = Buffer.alloc(0);
    let heard = 0;
    let page = 0;
    let stored = '';
    let text = '';
    let qr: string[] = [];
    const answer = (byte: number) => printer.isMute || line.write(Buffer.of(byte));

    /** The length of the command at the start; 0 while it is incomplete. */
    function take(b: Buffer): number {
      const [c0 = 0, c1 = 0, c2 = 0] = b;
      const needs = (n: number) => b.length >= n;
      if (c0 === 0x10) {
        if (!needs(3)) return 0;
        if (c1 === 4 && c2 === 4) answer(printer.hasPaper ? 0x12 : 0x72);
        else if (c1 === 4 && c2 === 2) answer(0x12 | (printer.isOpen ? 4 : 0));
        else unknown.push(b.subarray(0, 3).toString('hex'));
        return 3;
      }
      if (c0 === 0x1b) {
        if (!needs(2)) return 0;
        if (c1 === 0x40) return 2;
        if (!needs(3)) return 0;
        if (c1 === 0x74) page = c2;
        else if (![0x61, 0x45, 0x4d, 0x2d, 0x64].includes(c1)) unknown.push(b.subarray(0, 3).toString('hex'));
        return 3;
      }
      if (c0 === 0x1c) return needs(2) ? 2 : 0;
      if (c0 === 0x1d) {
        if (!needs(3)) return 0;
        if (c1 === 0x72) {
          answer(printer.hasPaper ? 0 : 0x0c);
          return 3;
        }
        if (c1 === 0x21) return 3;
        if (c1 === 0x56) {
          if (printer.roll > 0) receipts.push({ text, qr });
          printer.roll -= 1;
          if (printer.roll <= 0) printer.hasPaper = false;
          text = '';
          qr = [];
          return 3;
        }
        if (c1 === 0x28 && c2 === 0x6b) {
          if (!needs(5)) return 0;
          const length = b[3]! + 256 * b[4]!;
          if (!needs(5 + length)) return 0;
          const body = b.subarray(5, 5 + length);
          if (body[0] === 0x31 && body[1] === 0x50) stored = body.subarray(3).toString('utf8');
          if (body[0] === 0x31 && body[1] === 0x51) qr.push(stored);
          return 5 + length;
        }
        unknown.push(b.subarray(0, 3).toString('hex'));
        return 3;
      }
      if (c0 === 0x0a) text += '\n';
      else if (c0 >= 0x20) text += c0 < 0x80 ? String.fromCharCode(c0) : (pages[page]?.[c0] ?? '�');
      return 1;
    }

    line.on('data', (chunk: Buffer) => {
      heard += chunk.length;
      if (heard > printer.breaksAfter) {
        line.destroy();
        return;
      }
      bytes = Buffer.concat([bytes, chunk]);
      for (let length = 1; bytes.length && length; bytes = bytes.subarray(length)) length = take(bytes);
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  return printer;
}
