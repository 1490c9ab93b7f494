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
        question.address ? (it.addresses.get(question.address)?.first ?? it.began) : it.began,
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
  const known = it.addresses.get(address);
  const others = [...it.addresses].filter(([ip]) => ip !== address).map(([, times]) => times);
  if (others.some(({ first, last }) => first <= at && at <= last)) return false;
  if (!known) return true;
  const sinceThen = it.ip === address && !others.some(({ first }) => first > known.last);
  return known.first <= at && (at <= known.last || sinceThen);
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
