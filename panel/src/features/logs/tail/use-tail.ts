import type { LogTailEvent } from '@portico/contract/logs.ts';
import { useEffect, useState } from 'react';
import { ApiError } from '#lib/client.ts';
import { readEventStream } from '#lib/event-stream.ts';

export type TailLine = LogTailEvent['lines'][number] & {
  readonly number: number;
  /** Lines before this one were skipped. */
  readonly after: boolean;
};
const most = 500;
const againMs = 3000;

interface Tail {
  state: 'connecting' | 'open' | 'refused';
  lines: readonly TailLine[];
  /** The translated reason of a refusal. */
  reason?: string;
}

const nothing: Tail = { state: 'connecting', lines: [] };

/** Streams the last and new log lines of a device. Reconnects after an interruption. */
export function useTail(deviceId: string, filter: { types: string; search: string }): Tail {
  const [tail, setTail] = useState(nothing);
  const { types, search } = filter;
  useEffect(() => {
    const control = new AbortController();
    const query = new URLSearchParams({ ...(types && { types }), ...(search && { search }) });
    let number = 0;
    const take = ({ lines, skipped }: LogTailEvent, fresh: boolean) => {
      const more = lines.map((line, i) => ({ ...line, number: number++, after: skipped && i === 0 }));
      setTail(now => ({ state: 'open', lines: fresh ? more : [...now.lines, ...more].slice(-most) }));
    };
    const read = async (): Promise<void> => {
      let fresh = true;
      try {
        await readEventStream(`/v1/panel/device/${deviceId}/logs/tail?${query}`, control.signal, data => {
          take(data as LogTailEvent, fresh);
          fresh = false;
        });
      } catch (error) {
        if (control.signal.aborted) return;
        if (error instanceof ApiError && error.status < 500)
          return setTail(now => ({ ...now, state: 'refused', reason: error.message }));
      }
      if (control.signal.aborted) return;
      setTail(now => ({ ...now, state: 'connecting' }));
      await new Promise(resolve => setTimeout(resolve, againMs * (0.5 + Math.random())));
      if (!control.signal.aborted) await read();
    };
    setTail(nothing);
    void read();
    return () => control.abort();
  }, [deviceId, types, search]);
  return tail;
}
