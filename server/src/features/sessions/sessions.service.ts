import { pipeline, type Readable, Transform } from 'node:stream';
import type { Language } from '@portico/contract/errors.ts';
import type { FailedLogin, Kick } from '@portico/contract/sessions.ts';
import { copyCsv } from '#db/copy.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { pushLogout } from '#features/devices/public.ts';
import type { Actor } from '#http/actor.ts';
import { may } from '#http/actor.ts';
import { found, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import type { Rows } from '#http/page.ts';
import type { App } from '#lib/app.ts';
import { byteOrderMark } from '#lib/csv.ts';
import { newId } from '#lib/ids.ts';
import { type CommandOutcome, changeSessionLimits, disconnectSession } from '#radius/coa.ts';
import { type FailedLoginFilter, listFailedLogins } from './failed-logins.queries.ts';
import { decryptParams, hidden } from './failed-logins.ts';
import * as kicks from './kicks.queries.ts';
import { isReversed, periodIn } from './period.queries.ts';
import { type HistoryFilter, historyExport, type Viewer } from './sessions.queries.ts';
import { limitsOf, type RunningLimits } from './visitor-orders.queries.ts';

const viewers = new WeakMap<Actor, Viewer>();
export function viewerOf(actor: Actor): Viewer {
  const known = viewers.get(actor) ?? { scope: actor.scope, readsPersonalData: may(actor, 'view-clients') };
  viewers.set(actor, known);
  return known;
}

const answerOf = (said: CommandOutcome): { state: Kick['state']; words: string } => ({
  state: said.outcome,
  words: said.outcome === 'refused' ? String(said.errorCause ?? '') : '',
});

/** A year: there is no attribute that takes a session's end away. */
const noEnd = 365 * 86_400;

/** How often a router is asked within COA_TIMEOUT. */
const attempts = 3;

/** Asks the router to end a session, or to hold it to other limits; never rejects. */
async function order(
  app: App,
  target: kicks.KickTarget,
  limits?: RunningLimits,
): Promise<{ state: Kick['state']; words: string }> {
  const secret = app.secrets.read(target.secret);
  // A device that never spoke to us has no address to be asked at; one whose secret cannot be read would believe nothing.
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
  };
  if (!limits) return answerOf(await disconnectSession(router, session));
  return answerOf(
    await changeSessionLimits(router, session, {
      sessionTimeoutSeconds: limits.seconds ?? noEnd,
      uploadBps: limits.upload_bps ?? undefined,
      downloadBps: limits.download_bps ?? undefined,
    }),
  );
}

/** Notes the answer. A router that its network hides from Disconnect-Requests may still be reached by its own interface, or fetch the order itself. */
async function note(
  tx: Tx,
  kickId: string,
  target: kicks.KickTarget,
  answer: { state: Kick['state']; words: string },
  userId: string | null,
): Promise<Kick> {
  if (answer.state === 'no-answer' && target.client_mac)
    await pushLogout(tx, { deviceId: target.device_id, userId }, target.client_mac);
  return kicks.answerKick(tx, kickId, answer);
}

/** Ends a session on an operator's word: written down first, so that a crash in between repeats the order and forgets nothing. */
export async function kickSession(app: App, actor: Actor, sessionId: string): Promise<Kick> {
  const { kick, target } = await app.db.withTenant(actor.tenantId, async tx => {
    const open = found(await kicks.findTarget(tx, actor.reach, sessionId));
    const waiting = await kicks.findWaiting(tx, sessionId);
    if (waiting) return { kick: waiting, target: undefined };
    const kick = await kicks.insertKick(tx, { id: newId(), target: open, userId: actor.userId, reason: 'operator' });
    await audit(tx, actor, {
      verb: 'end',
      subject: { type: 'session', id: sessionId, name: open.client_mac ?? '' },
      locationId: open.location_id,
      deviceId: open.device_id,
    });
    return { kick, target: open };
  });
  if (!target) return kick;
  const answer = await order(app, target);
  return app.db.withTenant(actor.tenantId, tx => note(tx, kick.id, target, answer, actor.userId));
}

/** Ends one of a visitor's own sessions on the visitor's word; false when there is no such one. */
export async function endOwnSession(
  app: App,
  { tenantId, visitorId, sessionId }: { tenantId: string; visitorId: string; sessionId: string },
): Promise<boolean> {
  const {
    found: there,
    kick,
    target,
  } = await app.db.withTenant(tenantId, async tx => {
    const open = await kicks.findOwnTarget(tx, visitorId, sessionId);
    if (!open) return { found: false };
    if (await kicks.findWaiting(tx, sessionId)) return { found: true };
    const made = await kicks.insertKick(tx, { id: newId(), target: open, userId: null, reason: 'guest' });
    return { found: true, kick: made, target: open };
  });
  if (!kick || !target) return there;
  const answer = await order(app, target);
  await app.db.withTenant(tenantId, tx => note(tx, kick.id, target, answer, null));
  return true;
}

/** Sends the orders that wait: those of the rules, and those whose sender went away. */
export async function sendWaitingKicks(app: App): Promise<void> {
  const claimed = await app.db.withSystem(tx => kicks.claimKicks(tx, 50));
  await Promise.all(
    claimed.map(async ({ tenant_id, kick_id, kind, ...target }) => {
      const inTenant = <T>(work: (tx: Tx) => Promise<T>) => app.db.withTenant(tenant_id, work);
      // As they are now: the visitor may have been changed again since.
      const limits = kind === 'change' ? await inTenant(tx => limitsOf(tx, target.session_id)) : undefined;
      const answer = await order(app, target, limits);
      await inTenant(async tx => {
        await note(tx, kick_id, target, answer, null);
        if (kind === 'change' && answer.state === 'refused') await kicks.endInstead(tx, target);
      });
      if (kind === 'change' && answer.state === 'refused') await sendWaitingKicks(app);
    }),
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

/** What a query of the session report means to an actor. */
export const historyFilter = <Q extends HistoryQuery>(actor: Actor, query: Q) => ({
  ...query,
  ...reportPeriod(actor, query.session_date),
  per_page: Math.min(query.per_page, 1000),
});

const headers: Record<Language, string> = {
  en: 'User,Phone,MAC,IP,Session start,Session end,Total download (MB),Total upload (MB)',
  tr: 'Kullanıcı,Telefon,MAC,IP,Oturum başlangıcı,Oturum bitişi,Toplam indirme (MB),Toplam yükleme (MB)',
};

/** The export of a report, made as it is read: nothing of it is held here. */
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
  const rows = await copyCsv(
    app.db,
    { tenantId: actor.tenantId, timeZone: actor.timeZone },
    historyExport(viewerOf(actor), filter),
  );
  // PostgreSQL ends lines with a line feed alone; all files of ours end them as RFC 4180 has it. Byte by byte, texts stay what they are.
  const file = new Transform({
    transform: (piece: Buffer, _, done) =>
      done(null, Buffer.from(piece.toString('latin1').replaceAll('\n', '\r\n'), 'latin1')),
  });
  file.write(`${byteOrderMark}${headers[language]}\n`);
  pipeline(rows, file, error => {
    // A reader who goes away is no trouble of ours.
    if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') app.log.error({ err: error }, 'an export broke off');
  });
  return file;
}

/** Failed sign-ins of a period with what was typed; as dots for those who may not read personal data. */
export async function failedLogins(
  { app, read }: Pick<Context, 'app' | 'read'>,
  actor: Actor,
  query: Omit<FailedLoginFilter, 'since' | 'until'> & { start_at?: string | undefined; end_at?: string | undefined },
): Promise<Rows<FailedLogin>> {
  if (isReversed(query.start_at, query.end_at)) throw invalid({ end_at: 'after_start' });
  const period = periodIn(actor.timeZone, { from: query.start_at, to: query.end_at, days: 6 });
  const { rows, total } = await read(tx => listFailedLogins(tx, actor.scope, { ...query, ...period }));
  const reads = may(actor, 'view-clients');
  const shown = (params: Record<string, string>) =>
    reads ? params : Object.fromEntries(Object.keys(params).map(key => [key, hidden]));
  const opened = rows.map(row => ({
    ...row,
    attempts: row.attempts.map(it => ({ ...it, params: shown(decryptParams(app, it.params)) })),
  }));
  return { rows: opened, total };
}
