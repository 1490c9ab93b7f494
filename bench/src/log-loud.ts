import type pg from 'pg';
import { openHttp } from './http-client.ts';
import { tenant } from './list-queries.ts';
import type { LogLoad } from './log-load.ts';
import { committed, droppedAt, pause, startPart } from './log-traffic.ts';
import { ms, summary, whole } from './measure.ts';
import { cpuOf } from './processes.ts';
import type { Product } from './product.ts';
import { makeGuests } from './radius-guests.ts';
import type { Load, Outcome } from './radius-load.ts';
import type { Row } from './table.ts';

const seconds = 10;
const loudPerSecond = 50_000;
const othersPerSecond = 2000;
const others = 63;
const signInsPerSecond = 50;
const settleMs = 30_000;
const tellMs = 8000;

/** One router sends as fast as it can from its own port. Other routers, guests who sign in and the panel continue. */
export async function measureLoud(product: Product, sql: pg.Client, nas: readonly string[]): Promise<Row[]> {
  const [loud = '', ...rest] = nas;
  const quiet = rest.slice(-others);
  const guests = await makeGuests(product, tenant, {
    name: 'Beside a flood',
    mac: '02:AF',
    devices: 1,
    guestsPerDevice: 200,
    portals: false,
  });
  const flood = startPart<LogLoad, number>('./log-load.ts');
  const trickle = startPart<LogLoad, number>('./log-load.ts');
  const radius = startPart<Load, Outcome>('./radius-load.ts');
  const http = openHttp(product.url, {
    authorization: `Bearer ${await product.signIn(tenant)}`,
    'x-tenant': tenant,
    'accept-encoding': 'identity',
  });
  const port = product.syslogPort;
  const signIns = (run: string) =>
    radius.ask({
      kind: 'auth',
      port: product.authPort,
      guests,
      count: signInsPerSecond * seconds,
      outstanding: 64,
      perSecond: signInsPerSecond,
      run,
    });
  const panel = async () => {
    const took: number[] = [];
    for (const end = performance.now() + seconds * 1000; performance.now() < end; await pause(50)) {
      const began = performance.now();
      const { status } = await http.get('/v1/panel/device');
      if (status !== 200) throw new Error(`The panel answered ${status}`);
      took.push(performance.now() - began);
    }
    return summary(took, seconds);
  };
  const lost = async () =>
    Number(
      (
        await sql.query(
          `select coalesce(sum(l.lines), 0) as n from log_dropped_lines l join devices d on d.id = l.device_id where d.nas_identifier = $1`,
          [loud],
        )
      ).rows[0].n,
    );
  try {
    const [calmPanel, calm] = await Promise.all([panel(), signIns('calm')]);
    const before = {
      loud: await committed(sql, [loud]),
      quiet: await committed(sql, quiet),
      lost: await lost(),
      dropped: droppedAt(port),
      cpu: cpuOf(product.pid),
    };
    const [sent, quietSent, loudPanel, besides] = await Promise.all([
      flood.ask({ port, nas: [loud], perSecond: loudPerSecond, seconds, senders: 1 }),
      trickle.ask({ port, nas: quiet, perSecond: othersPerSecond, seconds, senders: others }),
      panel(),
      signIns('flood'),
    ]);
    const core = (cpuOf(product.pid) - before.cpu) / seconds;
    let quietKept = 0;
    for (const end = performance.now() + settleMs; quietKept < quietSent && performance.now() < end; await pause(200))
      quietKept = (await committed(sql, quiet)) - before.quiet;
    // Dropped lines are stored every few seconds.
    await pause(tellMs);
    const kept = (await committed(sql, [loud])) - before.loud;
    const told = (await lost()) - before.lost;
    const dropped = droppedAt(port) - before.dropped;
    const p99 = (outcome: Outcome) => summary(outcome.took, outcome.seconds).p99;
    return [
      {
        work: `one router sends ${whole(sent / seconds)} lines/s`,
        ours: `${whole(kept / seconds)}/s kept, ${(core * 100).toFixed(0)} % of a core`,
        reference: '',
      },
      {
        work: '  of it neither kept nor counted as lost',
        ours: `${whole(told)} told of the router, ${whole(dropped)} of the server`,
        reference: '',
        figure: sent - kept - told - dropped,
        goal: { most: 0, unit: '' },
      },
      {
        work: `  lost of ${others} others, ${whole(quietSent / seconds)} lines/s`,
        ours: whole(quietSent - quietKept),
        reference: '',
        figure: quietSent - quietKept,
        goal: { most: 0, unit: '' },
      },
      {
        work: `  RADIUS beside it, ${signInsPerSecond} sign-ins/s`,
        ours: `p99 ${ms(p99(besides))}, ${besides.lost} lost`,
        reference: `without it p99 ${ms(p99(calm))}`,
        figure: besides.lost,
        goal: { most: 0, unit: 'lost' },
      },
      {
        work: '  a list in the panel beside it',
        ours: `p50 ${ms(loudPanel.p50)}, p95 ${ms(loudPanel.p95)}`,
        reference: `without it p50 ${ms(calmPanel.p50)}, p95 ${ms(calmPanel.p95)}`,
        ratio: loudPanel.p50 / calmPanel.p50,
      },
    ];
  } finally {
    for (const part of [flood, trickle, radius]) part.stop();
    http.close();
  }
}
