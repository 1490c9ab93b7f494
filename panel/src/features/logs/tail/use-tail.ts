import type { LogTailEvent } from '@portico/contract/logs.ts';
import { useEffect, useState } from 'react';
import { ApiError } from '#lib/client.ts';
import { readEventStream } from '#lib/event-stream.ts';

export type TailLine = LogTailEvent['lines'][number] & {
  readonly number: number;
  /** Lines before this one were skipped. */
  readonly after: boolean;
};
const maxLines = 500;
const reconnectMs = 3000;

interface Tail {
  state: 'connecting' | 'open' | 'refused';
  lines: readonly TailLine[];
  /** The translated reason of a refusal. */
  reason?: string;
}

const emptyTail: Tail = { state: 'connecting', lines: [] };

/** Streams the last and new log lines of a device. Reconnects after an interruption. */
export function useTail(deviceId: string, filter: { types: string; search: string }): Tail {
  const [tail, setTail] = useState(emptyTail);
  const { types, search } = filter;
  useEffect(() => {
    const controller = new AbortController();
    const query = new URLSearchParams({ ...(types && { types }), ...(search && { search }) });
    let number = 0;
    const append = ({ lines, skipped }: LogTailEvent, restart: boolean) => {
      const more = lines.map((line, i) => ({ ...line, number: number++, after: skipped && i === 0 }));
      setTail(now => ({ state: 'open', lines: restart ? more : [...now.lines, ...more].slice(-maxLines) }));
    };
    const read = async (): Promise<void> => {
      let restart = true;
      try {
        await readEventStream(`/v1/panel/device/${deviceId}/logs/tail?${query}`, controller.signal, data => {
          append(data as LogTailEvent, restart);
          restart = false;
        });
      } catch (error) {
        if (controller.signal.aborted) return;
        if (error instanceof ApiError && error.status < 500)
          return setTail(now => ({ ...now, state: 'refused', reason: error.message }));
      }
      if (controller.signal.aborted) return;
      setTail(now => ({ ...now, state: 'connecting' }));
      await new Promise(resolve => setTimeout(resolve, reconnectMs * (0.5 + Math.random())));
      if (!controller.signal.aborted) await read();
    };
    setTail(emptyTail);
    void read();
    return () => controller.abort();
  }, [deviceId, types, search]);
  return tail;
}
