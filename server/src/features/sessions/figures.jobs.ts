import { tenantIdOf } from '#features/tenants/public.ts';
import type { App } from '#lib/app.ts';
import { counter } from '#lib/metrics.ts';
import {
  type Difference,
  findDifferences,
  listNotes,
  listPlaces,
  type Place,
  repairFigures,
  takeNote,
} from './figures.queries.ts';

const compared = () =>
  counter('portico_figure_comparisons_total', 'Comparisons of the totals of one day with its sessions');
const differing = () =>
  counter('portico_figure_differences_total', 'Totals that differed from their sessions and were repaired', ['figure']);

/** Differences that are logged for one day of a location; the metric counts all. */
const maxLogged = 20;

/** Goes on after one that fails, and rejects at the end. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items)
    try {
      await work(item);
    } catch (error) {
      failures.push(error);
      // The database is away, most likely.
      if (failures.length === 10) break;
    }
  if (failures.length > 0) throw new AggregateError(failures, 'the totals of some locations were not compared');
}

/** Yesterday and a random older day of each location. */
export async function compareFigures(app: App): Promise<void> {
  for (const figure of ['session_hours', 'session_days', 'visitor_days', 'visitor_device_days'])
    differing().inc({ figure }, 0);
  await each(await app.db.withSystem(tx => listPlaces(tx)), async place => {
    for (const day of [place.yesterday, place.older])
      if (day !== null && isWhole(place, day)) await repair(app, place, day);
  });
}

/**
 * The days of which a correction of the clock left a note. Each has a transaction of its own, so no lock lasts and a process
 * that dies loses no note. Their differences are expected, so they are no alarm.
 */
export async function repairNoted(app: App): Promise<void> {
  await each(await app.db.withSystem(listNotes), note =>
    app.db.withSystem(async tx => {
      if ((await takeNote(tx, note)) > 0) await repairFigures(tx, note, note.day);
    }),
  );
}

/** Sessions of earlier days were erased, or counted by other clocks: only the totals of such a day are known. */
const isWhole = (place: Place, day: string): boolean => place.since === null || day >= place.since;

async function repair(app: App, place: Place, day: string): Promise<Difference[]> {
  const found = await app.db.withSystem(tx => repairFigures(tx, place, day));
  compared().inc();
  const where = { tenant: place.tenant, location: place.location_id, day };
  for (const [n, it] of found.entries()) {
    differing().inc({ figure: it.figure });
    if (n < maxLogged) app.log.error({ ...where, ...it }, 'a total was wrong and is repaired');
  }
  if (found.length > maxLogged)
    app.log.error({ ...where, count: found.length }, 'more totals were wrong and are repaired');
  return found;
}

const amount = (sessions: number, seconds: number, upload: number, download: number): string =>
  `${sessions} sessions, ${seconds} s, ${upload} bytes up, ${download} bytes down`;

const described = (it: Difference): string =>
  [
    it.figure,
    it.hour === null ? [] : `hour ${it.hour}`,
    it.device_id === null ? [] : `device ${it.device_id}`,
    it.visitor_id === null ? [] : `visitor ${it.visitor_id}`,
    `: kept ${amount(it.kept_sessions, it.kept_seconds, it.kept_upload, it.kept_download)};`,
    `its sessions say ${amount(it.sessions, it.seconds, it.upload, it.download)}`,
  ]
    .flat()
    .join(' ')
    .replace(' :', ':');

interface Verification {
  readonly from: string;
  readonly to: string;
  readonly tenant: string | undefined;
  readonly repair: boolean;
  readonly print: (line: string) => void;
}

/** Compares days by hand. Answers the exit code: 1 when something differs, repaired or not. */
export async function verifyFigures(app: App, it: Verification): Promise<number> {
  // A misspelt tenant must not look like one without differences.
  if (it.tenant !== undefined) await tenantIdOf(app, it.tenant);
  const places = await app.db.withSystem(tx => listPlaces(tx, it.tenant));
  let [days, left, wrong] = [0, 0, 0];
  for (const place of places)
    for (const day of daysOf(it)) {
      if (!isWhole(place, day)) {
        left++;
        continue;
      }
      const found = it.repair
        ? await repair(app, place, day)
        : await app.db.withSystem(tx => findDifferences(tx, place, day));
      for (const difference of found) it.print(`${day}  ${place.tenant}  ${place.location}  ${described(difference)}`);
      days++;
      wrong += found.length;
    }
  it.print(
    `Compared ${days} days of locations: ${wrong} totals differ${it.repair && wrong > 0 ? ' and are repaired' : ''}`,
  );
  if (left > 0) it.print(`Left out ${left} days, because not all of their sessions are kept`);
  return wrong > 0 ? 1 : 0;
}

function* daysOf({ from, to }: Pick<Verification, 'from' | 'to'>): Generator<string> {
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000) yield new Date(at).toISOString().slice(0, 10);
}
