/** How long `Retry-After` asks to wait, in milliseconds: it names seconds or a date. Undefined without one that can be read. */
export function retryAfterMs(header: string | undefined): number | undefined {
  const seconds = Number(header);
  const ms = header && Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header ?? '') - Date.now();
  return Number.isNaN(ms) ? undefined : ms;
}
