import { timingSafeEqual } from 'node:crypto';
import type { App } from '#lib/app.ts';
import { outboundRequest } from '#lib/outbound-http.ts';
import { IntegrationError } from '../problems.ts';

export type Json = Readonly<Record<string, unknown>>;

/** A provider takes its time, but a guest waits for it. */
const timeoutMs = 15_000;

/** Sends a request, and returns the JSON of the answer with its status. */
export async function askProvider(
  { settings }: App,
  it: { url: string; method?: string; headers: Record<string, string>; body?: string | undefined },
): Promise<{ status: number; json: Json }> {
  const { status, text } = await outboundRequest({
    method: 'POST',
    ...it,
    allowInside: settings.INTEGRATIONS_INSIDE,
    timeoutMs,
  });
  if (status === 401 || status === 403) throw new IntegrationError('login_refused');
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json === 'object' && json !== null) return { status, json: json as Json };
  } catch {
    // Reported below.
  }
  throw new IntegrationError(status >= 400 ? 'refused' : 'bad_answer', `HTTP ${status}`);
}

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

/** A value inside of nested objects and arrays. */
export const within = (value: unknown, ...keys: readonly (string | number)[]): unknown =>
  keys.reduce<unknown>((inner, key) => (inner as Json | null | undefined)?.[key], value);

/** Compares in constant time. */
export function sameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The JSON object in a text; undefined for anything else. */
export function jsonOf(text: string): Json | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Json) : undefined;
  } catch {
    return undefined;
  }
}

/** The guest opens this address, and the provider chooses it: it must be no script address. */
export function pageOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw new IntegrationError('bad_answer', 'url');
  return url;
}
