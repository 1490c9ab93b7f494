import { ApiError, requestHeaders } from '#lib/client.ts';
import { watchedFetch } from '#lib/connection.ts';

/**
 * Reads server-sent events until the stream ends; throws `ApiError` for an error response. Uses fetch, because EventSource
 * cannot send the bearer token.
 */
export async function readEventStream(
  path: string,
  signal: AbortSignal,
  take: (data: unknown) => void,
  onOpen?: () => void,
): Promise<void> {
  const response = await watchedFetch(path, { headers: { ...requestHeaders(), accept: 'text/event-stream' }, signal });
  if (!response.ok) throw new ApiError(response.status, await response.json().catch(() => ({})));
  if (!response.body) return;
  onOpen?.();
  let rest = '';
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const events = (rest + part.value).split(/\r?\n\r?\n/);
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = dataOf(event);
      if (data !== undefined) take(data);
    }
  }
}

function dataOf(event: string): unknown {
  const data = /^data: ?(.*)$/m.exec(event)?.[1];
  try {
    return data ? JSON.parse(data) : undefined;
  } catch {
    return undefined;
  }
}
