import type { DoctorCheck } from '@portico/contract/device-doctor.ts';
import type { Actor } from '#http/actor.ts';
import { found } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import { randomWord } from '#lib/ids.ts';
import { disconnectSession } from '#radius/coa.ts';
import { driverOf } from '#routers/drivers.ts';
import { asRouterError } from '#routers/router-control.ts';
import { beginAsking, type ControllerState, findController } from './controller-states.queries.ts';
import type { ControllerPlace } from './controller-states.service.ts';
import { openController } from './controllers.service.ts';
import { readSecret } from './devices.service.ts';
import { beginCoa, type ExaminedDevice, findExamined, storeCoaAnswer } from './doctor.queries.ts';
import { findRefusedHost } from './login-hosts.queries.ts';

/** Routers refuse a Disconnect-Request whose timestamp is further off (RFC 5176, section 6.3). */
const maxSkewSeconds = 300;
/** A session reports every minute, so accounting has stopped after this time. */
const accountingTimeoutMs = 10 * 60_000;

type CheckResult = Pick<DoctorCheck, 'state' | 'reason'> &
  Partial<Pick<DoctorCheck, 'at' | 'seconds' | 'address' | 'words'>>;

const time = (at: string | null): number => (at === null ? 0 : new Date(at).getTime());

/** Ok if a packet has ever arrived, otherwise unknown. */
const seen = (at: string | null): CheckResult =>
  at === null ? { state: 'unknown', reason: 'none' } : { state: 'ok', reason: 'ok', at };

function secretOf(it: ExaminedDevice): CheckResult {
  const proven = Math.max(time(it.auth_seen_at), time(it.acct_seen_at));
  if (time(it.bad_secret_at) > proven)
    return { state: 'failed', reason: 'wrong', at: it.bad_secret_at, address: it.bad_secret_address };
  return proven ? { state: 'ok', reason: 'ok', at: new Date(proven).toISOString() } : seen(null);
}

function accountingOf(it: ExaminedDevice): CheckResult {
  if (it.acct_seen_at === null) return { state: it.auth_seen_at === null ? 'unknown' : 'failed', reason: 'none' };
  if (time(it.auth_seen_at) - time(it.acct_seen_at) > accountingTimeoutMs)
    return { state: 'failed', reason: 'stopped', at: it.acct_seen_at };
  return seen(it.acct_seen_at);
}

function clockOf(it: ExaminedDevice): CheckResult {
  if (it.clock_skew === null) return seen(null);
  const facts = { at: it.acct_seen_at, seconds: it.clock_skew };
  return Math.abs(it.clock_skew) > maxSkewSeconds
    ? { state: 'failed', reason: 'skewed', ...facts }
    : { state: 'ok', reason: 'ok', ...facts };
}

/** How long an answer is waited for. A process that stopped meanwhile stores none. */
const patience = (app: App): number => app.settings.COA_TIMEOUT + 5;

/** Sends a Disconnect-Request for a session that does not exist. A refusal proves that requests reach the router. */
async function askRouter(app: App, it: ExaminedDevice & { last_address: string }) {
  const attempts = 2;
  const router = {
    host: it.last_address,
    port: it.coa_port,
    secret: Buffer.from(readSecret(app.secrets, it.secret)),
    timeoutMs: (app.settings.COA_TIMEOUT * 1000) / attempts,
    attempts,
  };
  const nobody = randomWord(16);
  const reply = await disconnectSession(router, { userName: nobody, sessionId: nobody });
  if (reply.outcome === 'no-answer') return 'silent';
  const known = reply.outcome === 'acknowledged' || reply.errorCause === 'Session-Context-Not-Found';
  return known ? 'ok' : 'refused';
}

/** Signs in to the controller. The answer is stored on the way. */
async function askController(app: App, at: ControllerPlace): Promise<void> {
  try {
    const link = await openController(app, at);
    await link?.identify().finally(link.close);
  } catch (error) {
    app.log.info({ device: at.deviceId, words: asRouterError(error).message }, 'a controller failed');
  }
}

/** The result of the latest request; `unknown` before the first one. */
function coaOf(app: App, it: ExaminedDevice): CheckResult {
  if (it.last_address === null || it.coa_asked_at === null) return seen(null);
  const asked = time(it.coa_asked_at);
  if (asked > time(it.coa_answered_at))
    return Date.now() - asked < patience(app) * 1000
      ? { state: 'running', reason: 'none', at: null }
      : { state: 'failed', reason: 'silent', at: it.coa_asked_at };
  const reason = it.coa_answer ?? 'none';
  return { state: reason === 'ok' ? 'ok' : 'failed', reason, at: it.coa_answered_at };
}

/** A guest who reached the portal proves that it is open before sign-in. */
function gardenOf({ arrived_at: arrived, unsigned_at: unsigned }: ExaminedDevice): CheckResult {
  return time(unsigned) > time(arrived) ? { state: 'failed', reason: 'wrong', at: unsigned } : seen(arrived);
}

function loginPageOf(it: ExaminedDevice): CheckResult {
  if (it.arrived_at === null) return seen(null);
  return it.page_version === driverOf(it.brand).setup.pageVersion
    ? seen(it.arrived_at)
    : { state: 'failed', reason: 'old', at: it.arrived_at };
}

/** The script asks every five seconds. */
const scriptTimeoutMs = 60_000;

function scriptOf({ reported_at: at }: ExaminedDevice): CheckResult {
  const silent = at !== null && Date.now() - time(at) > scriptTimeoutMs;
  return silent ? { state: 'failed', reason: 'stopped', at } : seen(at);
}

const loginHostOf = ({ host, at }: { host: string; at: string }): CheckResult => ({
  state: 'failed',
  reason: 'unused',
  address: host,
  at,
});

function controllerOf(app: App, it: ControllerState | undefined): CheckResult {
  if (!it) return seen(null);
  const asked = time(it.asked_at);
  if (asked > Math.max(time(it.answered_at), time(it.tried_at)) && Date.now() - asked < patience(app) * 1000)
    return { state: 'running', reason: 'none' };
  const failed = (reason: CheckResult['reason'], at: string | null, words: string | null): CheckResult => ({
    ...{ state: 'failed', reason, at, words },
  });
  if (it.failing_since) return failed(it.problem ?? 'unreachable', it.failing_since, it.words);
  if (it.refused_at) return failed('not_admitted', it.refused_at, it.refused_words);
  return seen(it.answered_at);
}

type Call = Context & { actor: Actor };

/** The checks as they stand. */
export async function progress(call: Call, id: string): Promise<DoctorCheck[]> {
  const [it, refused, controller] = await call.inTenant(async tx => [
    found(await findExamined(tx, call.actor.reach, id)),
    await findRefusedHost(tx, id),
    await findController(tx, id),
  ]);
  // Some brands do not speak RADIUS.
  const findings: (readonly [DoctorCheck['name'], CheckResult])[] = !driverOf(it.brand).speaksRadius
    ? [
        ['garden', gardenOf(it)],
        ['sign_in', seen(it.last_seen_at)],
        ...(driverOf(it.brand).control ? ([['controller', controllerOf(call.app, controller)]] as const) : []),
        ...(driverOf(it.brand).pull ? ([['script', scriptOf(it)]] as const) : []),
      ]
    : [
        ['secret', secretOf(it)],
        ['sign_in', seen(it.auth_seen_at)],
        ['accounting', accountingOf(it)],
        ...(driverOf(it.brand).takesNoCommands ? [] : [['coa', coaOf(call.app, it)] as const]),
        ['clock', clockOf(it)],
        ['garden', gardenOf(it)],
        ...(driverOf(it.brand).setup.pageVersion ? ([['login_page', loginPageOf(it)]] as const) : []),
      ];
  if (refused) findings.push(['login_host', loginHostOf(refused)]);
  return findings.map(([name, finding]) => ({ name, at: null, seconds: null, address: null, words: null, ...finding }));
}

/** Checks the communication between a device and the server. The router's answer is not waited for. */
export async function examine(call: Call, id: string): Promise<DoctorCheck[]> {
  const { app, actor } = call;
  const it = await call.inTenant(async tx => found(await findExamined(tx, actor.reach, id)));
  const { speaksRadius, takesNoCommands, control } = driverOf(it.brand);
  if (!speaksRadius && control && it.has_connection) {
    if (await call.inTenant(tx => beginAsking(tx, id)))
      void askController(app, { tenantId: actor.tenantId, deviceId: id });
  }
  if (speaksRadius && !takesNoCommands && it.last_address !== null) {
    const target = { ...it, last_address: it.last_address };
    readSecret(app.secrets, it.secret);
    if (await call.inTenant(tx => beginCoa(tx, id, patience(app))))
      askRouter(app, target)
        .then(answer => app.db.withTenant(actor.tenantId, tx => storeCoaAnswer(tx, id, answer)))
        .catch((error: unknown) => app.log.error({ err: error }, 'the answer of a router was not stored'));
  }
  return progress(call, id);
}
