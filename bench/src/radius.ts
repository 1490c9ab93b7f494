import { missingFreeRadius, startFreeRadius } from './freeradius.ts';
import { tenant } from './list-queries.ts';
import { median, ms, summary, whole } from './measure.ts';
import { cpuOf } from './processes.ts';
import type { Product } from './product.ts';
import { type Generator, startGenerator } from './radius-generator.ts';
import { makeGuests } from './radius-guests.ts';
import type { Outcome } from './radius-load.ts';
import { type Guest, reportsPerSession } from './radius-packets.ts';
import type { Row } from './table.ts';

/** How many requests are under way: those of some busy routers, and those of many, which leave no core idle. */
const outstanding = 64;
const outstandingOfMany = 256;
const rounds = 3;
const signIns = 8000;
const sessions = 4000;
const halfLoadSeconds = 5;
/** Tells the sessions of this run from those of an earlier one in the same folder. */
const tag = Date.now().toString(36);

interface Target {
  readonly pid: number;
  readonly authPort: number;
  readonly acctPort: number;
  guests: readonly Guest[];
}

/** CPU time of one request, in microseconds: of the RADIUS server and of PostgreSQL. */
interface Cost {
  readonly server: number;
  readonly database: number;
}

type Measured = Outcome & { readonly cost: Cost };

const rate = ({ took, seconds }: Outcome): number => took.length / seconds;

/** Sign-ins and accounting through our UDP ports, in turns with FreeRADIUS on the same PostgreSQL. */
export async function measureRadius(product: Product, visitors: number): Promise<Row[]> {
  const guests = await makeGuests(product, tenant);
  const generator = startGenerator();
  const missing = missingFreeRadius();
  if (missing) process.stdout.write(`\n${missing}\n`);
  const reference = missing ? undefined : await startFreeRadius(product, guests, visitors);
  const ours: Target = { pid: product.pid, authPort: product.authPort, acctPort: product.acctPort, guests };
  const rows: Row[] = [];
  let sent = 0;
  try {
    for (const kind of ['auth', 'acct'] as const) {
      const measured = await measureKind(kind, { product, generator, ours, reference });
      rows.push(...measured.rows);
      if (kind === 'acct') sent = measured.sent;
    }
    rows.push(await countLost(product, sent));
  } finally {
    generator.stop();
    await reference?.stop();
  }
  return rows;
}

interface Setting {
  readonly product: Product;
  readonly generator: Generator;
  readonly ours: Target;
  readonly reference: Target | undefined;
}

async function measureKind(kind: 'auth' | 'acct', { product, generator, ours, reference }: Setting) {
  let run = 0;
  let sent = 0;
  const databaseCpu = () => cpuOf(product.pid, true) - cpuOf(product.pid);
  const load = async (
    target: Target,
    count: number,
    { perSecond, underWay = outstanding }: { perSecond?: number; underWay?: number } = {},
  ): Promise<Measured> => {
    const before = { server: cpuOf(target.pid), database: databaseCpu() };
    const outcome = await generator.run({
      kind,
      port: kind === 'auth' ? target.authPort : target.acctPort,
      guests: target.guests,
      count,
      outstanding: perSecond ? 4096 : underWay,
      run: `${kind}${tag}${++run}-`,
      ...(perSecond ? { perSecond } : {}),
    });
    if (target === ours) sent += count;
    if (outcome.rejected) throw new Error(`${outcome.rejected} sign-ins were refused`);
    if (kind === 'auth')
      target.guests = target.guests.map(guest => ({ ...guest, class: outcome.classes[guest.username] ?? guest.class }));
    const each = 1e6 / outcome.took.length;
    const cost = {
      server: (cpuOf(target.pid) - before.server) * each,
      database: (databaseCpu() - before.database) * each,
    };
    return { ...outcome, cost };
  };
  const count = kind === 'auth' ? signIns : sessions;
  const inTurns = async (underWay: number, warmUps: number) => {
    const all: { ours: Measured[]; theirs: Measured[] } = { ours: [], theirs: [] };
    for (let round = 0; round < warmUps + rounds; round++) {
      const mine = await load(ours, count, { underWay });
      const theirs = reference && (await load(reference, count, { underWay }));
      if (round < warmUps) continue;
      all.ours.push(mine);
      if (theirs) all.theirs.push(theirs);
    }
    return { ...all, row: rowOfRates(kind, underWay, all) };
  };
  const all = await inTurns(outstanding, 1);
  const many = await inTurns(outstandingOfMany, 0);
  const perSecond = median(all.ours.map(rate));
  const half = perSecond / 2;
  const each = kind === 'auth' ? 1 : reportsPerSession;
  const notices = await countNotices(product);
  const calm = await load(ours, Math.round((half * halfLoadSeconds) / each), { perSecond: half });
  const noticed = await notices.stop();
  const { p50, p99 } = summary(calm.took, calm.seconds);
  const unanswered = [...all.ours, ...many.ours, calm].reduce((sum, it) => sum + it.lost, 0);
  const core = median(all.ours.map(it => it.core));
  const rows: Row[] = [
    all.row,
    {
      work: `  at half of that load: ${whole(half)}/s`,
      ours: `p50 ${ms(p50)}, p99 ${ms(p99)}`,
      reference: '',
      figure: p99,
      goal: { most: 50, unit: 'ms' },
    },
    ...(kind === 'acct'
      ? [
          {
            work: '  notices to open screens',
            ours: `${(noticed / calm.seconds).toFixed(1)}/s`,
            reference: `${whole(half)} packets/s of ${new Set(ours.guests.map(it => it.nas)).size} routers`,
            figure: noticed / calm.seconds,
            goal: { most: 100, unit: '/s' },
          },
        ]
      : []),
    { work: '  unanswered', ours: String(unanswered), reference: '', figure: unanswered, goal: { most: 0, unit: '' } },
    {
      work: '  CPU of one request',
      ours: `node ${costOf(all.ours)}; the generator took ${(core * 100).toFixed(0)} % of a core`,
      reference: reference ? `FreeRADIUS ${costOf(all.theirs)}` : '',
      ...(reference ? { ratio: totalCost(all.theirs) / totalCost(all.ours) } : {}),
    },
    many.row,
  ];
  return { rows, sent };
}

/** The goals: with some requests under way, and with many. */
const goals = { auth: [3.5, 5], acct: [2.5, 4] } as const;

function rowOfRates(
  kind: 'auth' | 'acct',
  underWay: number,
  { ours, theirs }: { readonly ours: readonly Measured[]; readonly theirs: readonly Measured[] },
): Row {
  const mine = median(ours.map(rate));
  const other = theirs.length ? median(theirs.map(rate)) : undefined;
  return {
    work: `${kind === 'auth' ? 'sign-ins' : 'accounting'}, ${underWay} under way`,
    ours: `${whole(mine)}/s`,
    reference: other ? `FreeRADIUS ${whole(other)}/s` : '',
    ...(other ? { ratio: mine / other } : {}),
    goal: { least: goals[kind][underWay === outstanding ? 0 : 1] },
  };
}

/** Counts what the database tells to all processes of the product. */
async function countNotices(product: Product) {
  const client = await product.connect();
  let count = 0;
  client.on('notification', () => count++);
  await client.query('listen portico');
  return {
    stop: async () => {
      await client.end();
      return count;
    },
  };
}

const totalCost = (all: readonly Measured[]): number => median(all.map(it => it.cost.server + it.cost.database));
const costOf = (all: readonly Measured[]): string =>
  `${whole(median(all.map(it => it.cost.server)))} + PostgreSQL ${whole(median(all.map(it => it.cost.database)))} µs`;

/** Every acknowledged session must be in the history, once and with its last figures. */
async function countLost(product: Product, sent: number): Promise<Row> {
  const client = await product.connect();
  const { rows } = await client.query(
    `select count(*) as kept from session_history where acct_session_id like 'acct${tag}%' and seconds = ${reportsPerSession - 1} and download = 12000000`,
  );
  await client.end();
  const lost = sent - Number(rows[0].kept);
  return {
    work: `of ${whole(sent)} sessions, not in the history as they ended`,
    ours: String(lost),
    reference: '',
    figure: lost,
    goal: { most: 0, unit: '' },
  };
}
