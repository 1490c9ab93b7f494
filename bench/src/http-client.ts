import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: Buffer;
  /** Number of bytes received for it. */
  readonly bytes: number;
}

/**
 * A kept-alive HTTP/1.1 connection with minimal work, because the cost of a heavier client would be part of every
 * figure. One request at a time; it understands Content-Length and chunks.
 */
export interface HttpClient {
  get(path: string): Promise<Answer>;
  close(): void;
}

/** Opens a connection to the host of `url`. `headers` are sent with every request. */
export function openHttp(url: string, headers: Readonly<Record<string, string>> = {}): HttpClient {
  const { hostname, port, host } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const tail = ` HTTP/1.1\r\n${lines.join('')}\r\n`;
  let socket: Socket | undefined;
  let received: Buffer[] = [];
  let size = 0;
  let awaited: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined;
  let total: number | undefined;

  const hear = (chunk: Buffer) => {
    received.push(chunk);
    size += chunk.length;
    // Most replies are larger than one chunk: they are joined at the end only.
    if (total !== undefined && size < total) return;
    const bytes = received.length === 1 ? chunk : Buffer.concat(received);
    received = [bytes];
    const answer = readAnswer(bytes);
    if (typeof answer === 'number') total = answer;
    else if (answer) {
      received = [];
      size = 0;
      total = undefined;
      awaited?.resolve(answer);
      awaited = undefined;
    }
  };

  // Servers close idle connections.
  const reopen = (): Socket => {
    const opened = connect({ host: hostname, port: Number(port), noDelay: true });
    let reason = new Error(`${host} closed the connection`);
    opened.on('data', hear);
    opened.on('error', error => {
      reason = error;
    });
    opened.on('close', () => {
      socket = undefined;
      awaited?.reject(reason);
    });
    socket = opened;
    return opened;
  };

  return {
    get: path =>
      new Promise((resolve, reject) => {
        awaited = { resolve, reject };
        (socket ?? reopen()).write(`GET ${path}${tail}`);
      }),
    close: () => {
      awaited = undefined;
      socket?.destroy();
    },
  };
}

/** The answer if it is complete; the expected number of bytes if its head says so; else undefined. */
function readAnswer(bytes: Buffer): Answer | number | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end);
  const status = Number(head.slice(9, 12));
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (length !== undefined) {
    const total = end + 4 + Number(length);
    return bytes.length < total ? total : { status, head, body: bytes.subarray(end + 4, total), bytes: total };
  }
  if (!/^transfer-encoding: *chunked/im.test(head)) return { status, head, body: bytes.subarray(0, 0), bytes: end + 4 };
  const body = readChunks(bytes.subarray(end + 4));
  return body && { status, head, body, bytes: bytes.length };
}

function readChunks(bytes: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) return undefined;
    const length = Number.parseInt(bytes.toString('latin1', at, line), 16);
    const next = line + 2 + length + 2;
    if (bytes.length < next) return undefined;
    if (length === 0) return Buffer.concat(parts);
    parts.push(bytes.subarray(line + 2, line + 2 + length));
    at = next;
  }
}
