import { pipeline, type Readable, Transform } from 'node:stream';
import type { Language } from '@portico/contract/errors.ts';
import { formatMac, macPattern } from '@portico/contract/mac.ts';
import type { FailedLogin, SessionCommand } from '@portico/contract/sessions.ts';
import type { LocalPeriod } from '#db/local-period.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { pushLogout } from '#features/devices/public.ts';
import { visitorsNamed } from '#features/visitors/public.ts';
import type { Actor } from '#http/actor.ts';
import { may } from '#http/actor.ts';
import { found, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import type { Rows } from '#http/page.ts';
import type { App } from '#lib/app.ts';
import { byteOrderMark } from '#lib/csv.ts';
import { newId } from '#lib/ids.ts';
import { type CommandOutcome, changeSessionLimits, disconnectSession } from '#radius/coa.ts';
import { driverOf, takesCommands } from '#routers/drivers.ts';
import { exportRows } from './archive/export.ts';
import { type FailedLoginFilter, findFailures, listFailedLogins } from './failed-logins.queries.ts';
import { decryptParams, hidden, typedHash, typedName } from './failed-logins.ts';
import { limitsOf, type RunningLimits } from './limit-commands.queries.ts';
import { isReversed, periodIn } from './period.queries.ts';
import * as commands from './session-commands.queries.ts';
import { type HistoryFilter, hasOtherZones, type Viewer } from './sessions.queries.ts';

const viewers = new WeakMap<Actor, Viewer>();
export function viewerOf(actor: Actor): Viewer {
  const known = viewers.get(actor) ?? { scope: actor.scope, readsPersonalData: may(actor, 'view-clients') };
  viewers.set(actor, known);
  return known;
}

type Answer = Pick<SessionCommand, 'state' | 'words'> & { readonly within?: number };

const answerOf = (reply: CommandOutcome): Answer => ({
  state: reply.outcome,
  words: reply.outcome === 'refused' ? String(reply.errorCause ?? '') : '',
});

/** One year, because no attribute removes the end of a session. */
const maxTimeoutSeconds = 365 * 86_400;

/** The form in which authorize() returns it. */
const idleTimeoutSeconds = 900;

/** How many times a command is sent within COA_TIMEOUT. */
const attempts = 3;

/** A script on a gateway asks every five seconds, and the gateway takes some seconds as well. */
const scriptSeconds = 10;

/** A gateway that fetches its commands: the script on it ends sessions. No limit of a running session can be changed. */
function leave(target: commands.CommandTarget, limits?: RunningLimits): Answer {
  if (limits) return { state: 'refused', words: '' };
  return target.reports ? { state: 'requested', words: '', within: scriptSeconds } : { state: 'no-answer', words: '' };
}

/** Sends a router the command to end a session, or to change its limits. Never rejects. */
export async function send(app: App, target: commands.CommandTarget, limits?: RunningLimits): Promise<Answer> {
  const driver = driverOf(target.brand);
  if (driver.pull) return leave(target, limits);
  if (!takesCommands(driver)) return noCommands;
  const secret = app.secrets.read(target.secret);
  // A device that never sent anything has no address. One whose secret cannot be read would refuse the packet.
  if (!target.last_address || !secret) return { state: 'no-answer', words: '' };
  const router = {
    host: target.last_address,
    port: target.coa_port,
    secret: Buffer.from(secret),
    timeoutMs: (app.settings.COA_TIMEOUT * 1000) / attempts,
    attempts,
  };
  const session = {
    userName: target.user_name,
    framedIp: target.client_ip ?? undefined,
    sessionId: target.acct_session_id,
    mac: (driver.commandsNameMac && target.client_mac) || undefined,
  };
  if (!limits) return answerOf(await disconnectSession(router, session));
  return answerOf(
    await changeSessionLimits(router, session, {
      sessionTimeoutSeconds: limits.seconds ?? maxTimeoutSeconds,
      uploadBps: limits.upload_bps ?? undefined,
      downloadBps: limits.download_bps ?? undefined,
      totalBytes: limits.bytes ?? undefined,
      idleTimeoutSeconds,
      interimIntervalSeconds: limits.interim,
    }),
  );
}

/** The gateway has no RFC 5176. */
const noCommands: Answer = { state: 'refused', words: 'Unsupported-Service' };

/** A controller is told within seconds, and asked every 15 seconds whom it admits. */
const controllerSeconds = 20;

/**
 * Stores the answer. If RADIUS does not reach the router, the command is also queued for its API or polling script. A
 * controller is the only way to some gateways.
 */
async function store(
  tx: Tx,
  commandId: string,
  target: commands.CommandTarget,
  answer: Answer,
  userId: string | null,
): Promise<SessionCommand> {
  const goesOn = answer.state === 'no-answer' || answer === noCommands;
  const isQueued =
    goesOn &&
    target.client_mac !== null &&
    (await pushLogout(tx, { deviceId: target.device_id, userId }, target.client_mac));
  const byController = isQueued && answer === noCommands;
  return commands.storeAnswer(
    tx,
    commandId,
    byController ? { state: 'requested', words: '', within: controllerSeconds } : answer,
  );
}

/** Ends a session for an operator. The command is stored first, so that a crash repeats it instead of losing it. */
export async function endSession(app: App, actor: Actor, sessionId: string): Promise<SessionCommand> {
  const { command, target } = await app.db.withTenant(actor.tenantId, async tx => {
    const open = found(await commands.findTarget(tx, actor.reach, sessionId));
    const pending = await commands.findPending(tx, sessionId);
    if (pending) return { command: pending, target: undefined };
    const command = await commands.insertCommand(tx, {
      id: newId(),
      target: open,
      userId: actor.userId,
      reason: 'operator',
    });
    await audit(tx, actor, {
      verb: 'end',
      subject: { type: 'session', id: sessionId, name: open.client_mac ?? '' },
      locationId: open.location_id,
      deviceId: open.device_id,
    });
    return { command, target: open };
  });
  if (!target) return command;
  const answer = await send(app, target);
  return app.db.withTenant(actor.tenantId, tx => store(tx, command.id, target, answer, actor.userId));
}

/** Ends a visitor's own session; false when there is no such session. */
export async function endOwnSession(
  app: App,
  { tenantId, visitorId, sessionId }: { tenantId: string; visitorId: string; sessionId: string },
): Promise<boolean> {
  const {
    found: exists,
    command,
    target,
  } = await app.db.withTenant(tenantId, async tx => {
    const open = await commands.findOwnTarget(tx, visitorId, sessionId);
    if (!open) return { found: false };
    if (await commands.findPending(tx, sessionId)) return { found: true };
    const made = await commands.insertCommand(tx, { id: newId(), target: open, userId: null, reason: 'guest' });
    return { found: true, command: made, target: open };
  });
  if (!command || !target) return exists;
  const answer = await send(app, target);
  await app.db.withTenant(tenantId, tx => store(tx, command.id, target, answer, null));
  return true;
}

const perRun = 50;

/** Sends pending commands: those queued by rules, and those whose sender stopped. */
export async function sendWaitingCommands(app: App): Promise<void> {
  const claimed = await app.db.withSystem(tx => commands.claimCommands(tx, perRun));
  const refused = await Promise.all(
    claimed.map(async ({ tenant_id, command_id, kind, ...target }) => {
      const inTenant = <T>(work: (tx: Tx) => Promise<T>) => app.db.withTenant(tenant_id, work);
      // Reads the current limits, because the visitor may have changed since.
      const limits = kind === 'change' ? await inTenant(tx => limitsOf(tx, target.session_id)) : undefined;
      const answer = await send(app, target, limits);
      const isRefused = kind === 'change' && answer.state === 'refused';
      await inTenant(async tx => {
        await store(tx, command_id, target, answer, null);
        if (isRefused) await commands.queueEnd(tx, target);
      });
      return isRefused;
    }),
  );
  if (claimed.length === perRun || refused.includes(true)) await sendWaitingCommands(app);
}

/** Sends the queued commands in the background. The job sends those that fail. */
export function sendSoon(app: App): void {
  sendWaitingCommands(app).catch((error: unknown) =>
    app.log.error({ err: error }, 'session commands wait for the job'),
  );
}

/** The period of a report: two local times of the active location, or one day; default today. */
export function reportPeriod({ timeZone }: Actor, dates: readonly string[] = []) {
  const [from, to = from] = dates;
  const isDay = dates.length === 1 && from?.length === 'YYYY-MM-DD'.length;
  if (dates.length > 0 && dates.length !== 2 && !isDay) throw invalid({ session_date: 'date' });
  if (isReversed(from, to)) throw invalid({ session_date: 'after_start' });
  return periodIn(timeZone, { from, to, days: 0 });
}

interface HistoryQuery {
  readonly session_date?: readonly string[] | undefined;
  readonly page: number;
  readonly per_page: number;
}

/** Converts a query of the session report to a filter. */
export const historyFilter = async <Q extends HistoryQuery>(
  { actor, read }: Pick<Context, 'read'> & { actor: Actor },
  query: Q,
) => ({
  ...query,
  ...reportPeriod(actor, query.session_date),
  zone: (await coversOtherZones(actor, read)) ? actor.timeZone : undefined,
  per_page: Math.min(query.per_page, 1000),
});

/** One location has one zone, which is the actor's. */
const coversOtherZones = ({ scope, timeZone }: Actor, read: Context['read']): Promise<boolean> | false =>
  scope.kind === 'locations' && scope.ids.length === 1 ? false : read(tx => hasOtherZones(tx, scope, timeZone));

const headers: Record<Language, string> = {
  en: 'User,Phone,MAC,IP,Session start,Session end,Total download (MB),Total upload (MB)',
  tr: 'Kullanıcı,Telefon,MAC,IP,Oturum başlangıcı,Oturum bitişi,Toplam indirme (MB),Toplam yükleme (MB)',
};

/** The report as CSV. It is streamed, so memory use does not grow with its size. */
export async function exportHistory(
  app: App,
  actor: Actor,
  filter: HistoryFilter,
  language: Language,
): Promise<Readable> {
  await app.db.withTenant(actor.tenantId, tx =>
    audit(tx, actor, {
      verb: 'export',
      subject: { type: 'session-list', name: 'session-reports.csv' },
      locationId: actor.activeLocationId,
    }),
  );
  const inside = { tenantId: actor.tenantId, timeZone: actor.timeZone };
  return streamedCsv(app, headers[language], await exportRows(app, inside, viewerOf(actor), filter));
}

/** The rows of a COPY below their header, as a CSV file. */
export function streamedCsv(app: Pick<App, 'log'>, header: string, rows: Readable): Readable {
  // COPY ends lines with LF; RFC 4180 requires CRLF. Latin-1 keeps every byte of the UTF-8 text.
  const file = new Transform({
    transform: (piece: Buffer, _, done) =>
      done(null, Buffer.from(piece.toString('latin1').replaceAll('\n', '\r\n'), 'latin1')),
  });
  file.write(`${byteOrderMark}${header}\n`);
  pipeline(rows, file, error => {
    // A client that disconnects is not an error.
    if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') app.log.error({ err: error }, 'an export broke off');
  });
  return file;
}

interface Finder {
  readonly app: App;
  readonly tx: Tx;
  readonly actor: Actor;
}

/** Failed sign-ins of a guest device, by its whole MAC address, or with a name that no visitor has, for callers who may see visitors. */
export async function foundFailures({ app, tx, actor }: Finder, search: string, limit: number) {
  const mac = formatMac(search);
  const isMac = macPattern.test(mac);
  if (!isMac && !may(actor, 'view-clients')) return [];
  const of = isMac ? { mac } : { typed: typedHash(app, actor.tenantId, search) };
  const found = await findFailures(tx, actor.reach, of, limit);
  return found.map(({ params, location }) => ({
    kind: 'failed' as const,
    id: location.id,
    title: isMac ? mac : (typedName(decryptParams(app, params)) ?? search),
    detail: null,
    location,
  }));
}

/** Failed sign-ins of a period. Readers without access to personal data see dots instead of the typed values. */
export async function failedLogins(
  { app, read }: Pick<Context, 'app' | 'read'>,
  actor: Actor,
  query: Omit<FailedLoginFilter, keyof LocalPeriod | 'typed'> & {
    start_at?: string | undefined;
    end_at?: string | undefined;
    typed?: string | undefined;
  },
): Promise<Rows<FailedLogin>> {
  if (isReversed(query.start_at, query.end_at)) throw invalid({ end_at: 'after_start' });
  const period = periodIn(actor.timeZone, { from: query.start_at, to: query.end_at, days: 6 });
  const reads = may(actor, 'view-clients');
  // The answer would tell what was typed.
  if (query.typed && !reads) return { rows: [], total: 0 };
  const typed = query.typed ? typedHash(app, actor.tenantId, query.typed) : undefined;
  const filter = { ...query, ...period, typed, zone: actor.timeZone };
  const page = await read(tx => listFailedLogins(tx, actor.scope, filter));
  const rows = page.rows.map(row => ({
    ...row,
    attempts: row.attempts.map(it => ({ ...it, params: decryptParams(app, it.params) })),
  }));
  const typedNames = rows.flatMap(row =>
    row.attempts.filter(it => it.is_known === false).map(it => it.params['username'] ?? ''),
  );
  const named =
    reads && typedNames.length > 0 ? await read(tx => visitorsNamed(tx, actor.reach, [...new Set(typedNames)])) : [];
  const elsewhere = (username: string | undefined, locationId: string) => {
    const other = named.find(it => it.username === username && it.location.id !== locationId);
    return other ? { id: other.id, name: other.name, location: other.location } : null;
  };
  const shown = (params: Record<string, string>) =>
    reads ? params : Object.fromEntries(Object.keys(params).map(key => [key, hidden]));
  const opened = rows.map(row => ({
    ...row,
    attempts: row.attempts.map(({ location_id, ...it }) => ({
      ...it,
      params: shown(it.params),
      visitor: reads ? it.visitor : null,
      elsewhere: it.is_known === false ? elsewhere(it.params['username'], location_id) : null,
    })),
  }));
  return { rows: opened, total: page.total };
}
