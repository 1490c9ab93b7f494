import type { Tx } from '#db/tenant.ts';
import { sessionsAt } from '../../identity/identity.queries.ts';
import { type Model, macOf, type Session } from './model.ts';
import { type Batch, isPacket } from './venue.ts';

/** A question of the legal record: who had this address, or this guest device, at this time, in seconds of Unix time? */
export interface Question {
  readonly address: string | undefined;
  readonly mac?: string | null;
  readonly at: number;
}

const clocksDiffer = 5 * 60;
const betweenReports = 15 * 60;

/** Questions about addresses and guest devices that were in use around that time. */
export function questionsOf(batches: readonly Batch[]): Question[] {
  const reports = batches
    .flat()
    .filter(it => isPacket(it))
    .filter(it => it.ip !== '');
  const [first, second] = [reports[Math.floor(reports.length / 2)], reports[Math.floor(reports.length / 3)]];
  if (!first || !second) return [];
  // The address of one report at the time of another, and shortly after that of a report itself.
  return [
    { address: first.ip, at: second.at },
    { address: first.ip, at: first.at + 200 },
    ...(macOf(first.guest) ? [{ address: undefined, mac: macOf(first.guest), at: second.at }] : []),
  ];
}

const line = (...values: readonly unknown[]): string => values.map(value => value ?? '-').join(' ');

/** Who had the address, by the model. */
export const holders = (model: Model, question: Question): string[] =>
  model.sessions
    .filter(it => mayHaveHad(it, question))
    .map(it =>
      line(
        question.address,
        question.at,
        it.router,
        it.mac,
        userOfKey(it),
        it.visitor,
        it.began,
        question.address ? reportedSince(it, question.address, question.at) : it.began,
        had(it, question),
      ),
    );

const userOfKey = (it: Session): string => it.key.split(' ')[2]!;

function mayHaveHad(it: Session, { address, mac, at }: Question): boolean {
  if (it.began > at + clocksDiffer || (it.ended ?? at) < at - clocksDiffer) return false;
  if (!address) return it.mac === mac;
  const known = it.addresses.get(address);
  if (!known) return it.ip === address;
  return known.first <= at + betweenReports && (it.ip === address || known.last >= at - betweenReports);
}

function had(it: Session, { address, at }: Question): boolean {
  if (it.began > at || (it.ended ?? at) < at) return false;
  if (!address) return true;
  const stays = it.stays.filter(({ ip }) => ip === address);
  const others = it.stays.filter(({ ip }) => ip !== address);
  if (others.some(({ from, to }) => from <= at && at <= to)) return false;
  if (stays.length === 0) return true;
  const until = Math.max(...stays.map(({ to }) => to));
  const sinceThen = at > until && it.ip === address && !others.some(({ to }) => to > until);
  const sure = sinceThen || stays.some(({ from, to }) => from <= at && at <= to);
  if (sure && at > it.began) checkNeighbours(it, address, at);
  return sure;
}

/** A certain answer must follow from the reports themselves: the one before and the one after name the address. */
function checkNeighbours(it: Session, address: string, at: number): void {
  const before = Math.max(...it.reported.filter(one => one.at <= at).map(one => one.at));
  const after = Math.min(...it.reported.filter(one => one.at >= at).map(one => one.at));
  for (const moment of [before, after].filter(Number.isFinite))
    if (!it.reported.some(one => one.at === moment && one.ip === address))
      throw new Error(`${address} is certain at ${at}, and the report at ${moment} names another address`);
}

function reportedSince(it: Session, address: string, at: number): number {
  const starts = it.stays.filter(({ ip, from }) => ip === address && from <= at).map(({ from }) => from);
  return starts.length > 0 ? Math.max(...starts) : (it.addresses.get(address)?.first ?? it.began);
}

interface Where {
  readonly location: string;
  readonly devices: readonly { readonly id: string }[];
}

/** Who had the address, by the database. */
export async function foundHolders(tx: Tx, { location, devices }: Where, question: Question): Promise<string[]> {
  const scope = { kind: 'locations' as const, ids: [location], deviceIds: null };
  const at = new Date(question.at * 1000).toISOString();
  const sessions = await sessionsAt(tx, scope, { address: question.address, mac: question.mac, at, limit: 1000 });
  return sessions.map(it =>
    line(
      question.address,
      question.at,
      devices.findIndex(({ id }) => id === it.device_id),
      it.client_mac?.toLowerCase(),
      it.user_name,
      it.guest?.username,
      Date.parse(it.started_at) / 1000,
      Date.parse(it.address_at) / 1000,
      it.covers,
    ),
  );
}
