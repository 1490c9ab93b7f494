import type { z } from 'zod';
import type { App } from '#lib/app.ts';
import { outboundRequest } from '#lib/outbound-http.ts';
import { retryAfterMs } from '#lib/retry-after.ts';
import { IntegrationError, problemOf } from '../problems.ts';
import { cloudPace } from './pace.ts';
import { NotSent, TooManyRequests } from './system.ts';

const maxBytes = 8_388_608;
const [shortestWaitMs, usualWaitMs, longestWaitMs] = [1000, 30_000, 900_000];

/** Tests put their stand-ins here. The addresses are fixed, so that no operator can send a token elsewhere. */
export const hotelBases = {
  'mews-production': 'https://api.mews.com',
  'mews-demo': 'https://api.mews-demo.com',
  'apaleo-identity': 'https://identity.apaleo.com',
  apaleo: 'https://api.apaleo.com',
  'apaleo-webhook': 'https://webhook.apaleo.com',
};

export interface CloudAnswer {
  readonly status: number;
  /** Undefined if the body is no JSON. */
  readonly json: unknown;
}

const waitOf = (retryAfter: string | undefined): number =>
  Math.min(longestWaitMs, Math.max(shortestWaitMs, retryAfterMs(retryAfter) ?? usualWaitMs));

/** The request cannot have arrived. */
const neverSent = new Set(['unknown_host', 'address_refused']);

/** Sends a request. Only what the status means for every request is judged here. */
export async function askCloud(
  { settings }: App,
  it: {
    url: string;
    method: 'GET' | 'POST';
    headers: Record<string, string>;
    body?: string | undefined;
    signal?: AbortSignal | undefined;
  },
): Promise<CloudAnswer> {
  const { status, text, headers } = await outboundRequest({
    ...it,
    allowInside: settings.INTEGRATIONS_INSIDE,
    timeoutMs: cloudPace.answerMs,
    maxBytes,
  }).catch((error: unknown) => {
    const problem = problemOf(error);
    const isRefused = (error as { code?: unknown }).code === 'ECONNREFUSED';
    throw isRefused || neverSent.has(problem.code) ? new NotSent(problem.code, problem.message) : problem;
  });
  if (status === 429) throw new TooManyRequests(waitOf(headers['retry-after']));
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // Callers that need a body do not find it.
  }
  return { status, json };
}

/** The reason of a refusal in the words of the other side, on one line. */
function saidOf({ status, json }: CloudAnswer): string {
  const { Message, messages, title } = (json ?? {}) as { Message?: unknown; messages?: unknown; title?: unknown };
  const said = Message ?? (Array.isArray(messages) ? messages[0] : undefined) ?? title;
  const line = typeof said === 'string' ? said.replace(/[\s\p{C}]+/gu, ' ').trim() : '';
  return line.slice(0, 160) || `HTTP ${status}`;
}

/** The body of an answer to a question; throws for anything else. */
export function bodyOf<T extends z.ZodType>(answer: CloudAnswer, schema: T): z.output<T> {
  const { status } = answer;
  if (status === 401) throw new NotSent('login_refused', saidOf(answer));
  if (status === 403) throw new IntegrationError('no_rights', saidOf(answer));
  if (status === 404) throw new IntegrationError('no_such_thing', saidOf(answer));
  if (status < 200 || status > 299)
    throw new IntegrationError(status === 408 || status === 504 ? 'timed_out' : 'refused', saidOf(answer));
  const { success, data } = schema.safeParse(answer.json);
  if (!success) throw new IntegrationError('bad_answer', `HTTP ${status}`);
  return data;
}

/** The refusal of a booking; undefined if the answer is no certain refusal. */
export function refusedBooking(answer: CloudAnswer): { state: 'refused'; answer: string } | undefined {
  return [400, 403, 404, 422].includes(answer.status)
    ? { state: 'refused', answer: saidOf(answer).slice(0, 80) }
    : undefined;
}

/** The local day of a moment. */
export const localDay = (moment: string, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(Date.parse(moment));

export const chunksOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));
