import type { Browser, Page } from '@playwright/test';

const categories = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'];

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly id?: string;
  readonly ts: number;
  readonly dur?: number;
  /** The time that the thread had a core, in microseconds. */
  readonly tdur?: number;
  readonly args: { readonly data?: { readonly interactionId?: number; readonly frame?: string } };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

const overlap = (a: Span, b: Span): number => Math.max(0, Math.min(a.to, b.to) - Math.max(a.from, b.from));

/** The keys and clicks of a trace, from the input to the next picture, and the thread that answers them. */
function inputsOf(events: readonly TraceEvent[]): { spans: Span[]; pid: number; tid: number } {
  const begun = new Map<string, TraceEvent>();
  const spans: Span[] = [];
  let thread = { pid: 0, tid: 0 };
  for (const event of events) {
    if (event.name !== 'EventTiming' || event.id === undefined) continue;
    if (event.ph === 'b') begun.set(event.id, event);
    const begin = begun.get(event.id);
    if (event.ph !== 'e' || !begin?.args.data?.interactionId) continue;
    spans.push({ from: begin.ts, to: event.ts });
    thread = { pid: begin.pid, tid: begin.tid };
  }
  return { spans, ...thread };
}

/**
 * The most CPU time of the page's thread, in milliseconds, between an input and the picture that follows. Unlike the time that
 * passes, it hardly depends on what else the machine does.
 */
export async function cpuOfInputs(browser: Browser, page: Page, act: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, { categories });
  await act();
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const events = trace.traceEvents.toSorted((a, b) => a.ts - b.ts);
  const { spans, pid, tid } = inputsOf(events);
  const tasks = events.filter(event => event.name === 'RunTask' && event.pid === pid && event.tid === tid);
  const cpuOf = (span: Span) =>
    tasks.reduce((sum, { ts, dur = 0, tdur = 0 }) => {
      const share = dur ? overlap(span, { from: ts, to: ts + dur }) / dur : 0;
      return sum + tdur * share;
    }, 0);
  return Math.max(0, ...spans.map(cpuOf)) / 1000;
}
