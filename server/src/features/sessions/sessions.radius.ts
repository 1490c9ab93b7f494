import { type SignInRefusal, signInRefusals } from '@portico/contract/sessions.ts';
import { bisectOnError } from '#db/batches.ts';
import { gather } from '#db/gather.ts';
import { certificateHandlers, findDevicesByNas, markBadSecret } from '#features/devices/public.ts';
import { certifiedProxies, proxyHandlers } from '#features/radius-proxies/public.ts';
import { unknownDeviceHandlers } from '#features/unknown-devices/public.ts';
import type { App } from '#lib/app.ts';
import { takesLong } from '#lib/guest-password.ts';
import type { AccountingRecord, AuthorizeDecision, AuthorizeRequest, RadiusHandlers } from '#radius/types.ts';
import { hidden, typedColumns } from './failed-logins.ts';
import { createKnownPasswords, type KnownPasswords } from './known-passwords.ts';
import { createNotices } from './notices.ts';
import { provesPassword } from './password.ts';
import { createSeenDevices } from './seen-devices.radius.ts';
import * as queries from './sign-in.queries.ts';

type Handlers = Omit<RadiusHandlers, 'count' | 'failed'>;

/** The handlers of the RADIUS listener. A batch may contain devices of several tenants. */
export function sessionHandlers(app: App): Handlers {
  const certificates = certificateHandlers(app);
  const notices = createNotices(app);
  const { end: endSeen, ...seenDevices } = createSeenDevices(app);
  const passwords = createKnownPasswords();
  const findDevice = gather(async (nasIdentifiers: readonly string[]) => {
    const rows = await app.db.systemTrip(tx => findDevicesByNas(tx, nasIdentifiers));
    const found = new Map(rows.map(row => [row.nas_identifier, row]));
    return nasIdentifiers.map(it => found.get(it));
  });
  return {
    ...certificates,
    ...seenDevices,
    ...proxyHandlers(app),
    ...unknownDeviceHandlers(app),
    resolveCertificates: async fingerprints => {
      const [devices, proxies] = await Promise.all([
        certificates.resolveCertificates(fingerprints),
        certifiedProxies(app, fingerprints),
      ]);
      return new Map([...devices, ...proxies]);
    },
    resolveDevice: async nasIdentifier => {
      const row = await findDevice(nasIdentifier);
      const secret = row && app.secrets.read(row.secret);
      if (!secret) return undefined;
      return {
        id: row.id,
        tenantId: row.tenant_id,
        locationId: row.location_id,
        secret: Buffer.from(secret),
        requireMessageAuthenticator: row.message_authenticator,
        provenAddresses: new Set(row.addresses),
      };
    },
    authorize: batch => authorize(app, passwords, batch),
    account: async batch => {
      const rows = batch.map(accountingRow);
      await inHalves(app, rows, part => account(app, part));
      notices.add(rows);
    },
    badSecret: async (device, { at, sourceIp: address }) => {
      await app.db.withTenant(device.tenantId, tx => markBadSecret(tx, device.id, { at, address }));
    },
    ended: async () => {
      await Promise.all([notices.end(), endSeen()]);
    },
  };
}

/**
 * One trip to the database for a batch. An item that the database rejects has no result, and the others are tried again. Only
 * this trip is repeated, so no guest is admitted twice.
 */
const inHalves = <T, R>(app: App, batch: readonly T[], trip: (part: readonly T[]) => Promise<R[]>) =>
  bisectOnError<T, R | undefined>(batch, trip, (_, error) => {
    app.log.error({ err: error }, 'a RADIUS record could not be applied and was left out');
    return undefined;
  });

interface Found {
  readonly request: AuthorizeRequest;
  readonly decision: queries.SignInAnswer;
}

type Answer = AuthorizeDecision | Promise<AuthorizeDecision>;

interface DecidedRequest extends Found {
  reason: SignInRefusal | null;
  /** Undefined: the database rejected the admission. */
  class: string | null | undefined;
}

/** EAP and MS-CHAP are told so, and listed as failed sign-ins. They are no guesses of a password, so none is counted. */
async function authorize(app: App, passwords: KnownPasswords, batch: readonly AuthorizeRequest[]): Promise<Answer[]> {
  const reason = 'unsupported_method';
  const others = batch.filter(it => it.method === 'unsupported');
  // First, because nothing may be awaited once a long check has begun: its rejection would have no handler yet.
  await recordFailures(
    app,
    others.map(request => ({ request, reason })),
  );
  const supported = batch.filter(it => it.method !== 'unsupported');
  const decided = supported.length > 0 ? await authorizeByPassword(app, passwords, supported) : [];
  const decisions = new Map(supported.map((request, i) => [request, decided[i]!]));
  return batch.map(request => decisions.get(request) ?? { outcome: 'reject', replyMessage: signInRefusals[reason].en });
}

async function authorizeByPassword(
  app: App,
  passwords: KnownPasswords,
  batch: readonly AuthorizeRequest[],
): Promise<Answer[]> {
  const asked = batch.map(request => {
    const known = passwords.find(request);
    return {
      tenant: request.device.tenantId,
      device: request.device.id,
      // The form in which user names are stored: a phone may send accents apart.
      user_name: request.userName.normalize('NFC'),
      mac: request.mac,
      ip: request.framedIp,
      key: request.key,
      same: request.checkPassword(request.userName),
      ...(known && { known_password: known.password, known_visitor: known.visitor }),
    };
  });
  const decisions = await inHalves(app, asked, part => app.db.systemTrip(tx => queries.signIn(tx, part)));
  const found = batch.flatMap((request, i) => (decisions[i] ? [{ request, decision: decisions[i] }] : []));
  // The others of the batch do not wait for a password whose check takes long.
  const isLong = ({ decision: { outcome, proven, password } }: Found) =>
    outcome === 'check' && !proven && password !== null && takesLong(app.secrets, password);
  const [long, short] = [found.filter(isLong), found.filter(it => !isLong(it))];
  const answers = new Map<AuthorizeRequest, Answer>();
  for (const [i, it] of (await prove(app, passwords, short)).entries()) answers.set(short[i]!.request, it);
  for (const it of long) {
    const late = prove(app, passwords, [it]).then(([one]) => one!);
    // The caller handles it too. Without any handler, a rejection would end the process.
    late.catch(() => undefined);
    answers.set(it.request, late);
  }
  return batch.map(request => answers.get(request) ?? { outcome: 'ignore' });
}

/** Checks the passwords, admits whose is right, and records the others. */
async function prove(app: App, passwords: KnownPasswords, found: readonly Found[]): Promise<AuthorizeDecision[]> {
  const decided = await Promise.all(found.map(it => decide(app, passwords, it)));
  const proven = decided.filter(it => it.decision.outcome === 'check' && !it.decision.proven && it.reason === null);
  if (proven.length) {
    const grants = proven.map(it => it.decision.granting);
    const classes = await inHalves(app, grants, part => app.db.systemTrip(tx => queries.admit(tx, part)));
    for (const [i, it] of proven.entries()) {
      it.class = classes[i];
      if (it.class === null) it.reason = 'over_limit';
    }
  }
  await recordFailures(app, decided);
  return decided.map(answer);
}

/** Other reasons of a refusal are revealed only after the correct password. */
async function decide(app: App, passwords: KnownPasswords, { request, decision }: Found): Promise<DecidedRequest> {
  const known = decision.reason as SignInRefusal | null;
  const decided = { request, decision, reason: known, class: decision.class };
  if (decision.outcome !== 'check' || decision.proven) return decided;
  const typed = { password: request.password, is: request.checkPassword };
  if (!(await provesPassword(app, decision, typed))) return { ...decided, reason: 'wrong_credentials' };
  const { password, granting } = decision;
  if (password && granting.visitor_id) passwords.keep(request, { password, visitor: granting.visitor_id });
  return decided;
}

const alphanumeric = (text: string): string => text.replace(/[^0-9a-z]/gi, '').toUpperCase();

/** Without a decision the visitor was not looked up. */
type RefusedRequest = Pick<DecidedRequest, 'request' | 'reason'> & Partial<Pick<DecidedRequest, 'decision'>>;

async function recordFailures(app: App, decided: readonly RefusedRequest[]): Promise<void> {
  // Some routers try the MAC of every guest as user name, which is not a failed sign-in. Unproven requests may be forged.
  const failed = decided.filter(
    ({ reason, request }) =>
      reason !== null &&
      request.proven &&
      reason !== 'unknown_device' &&
      !(request.mac && alphanumeric(request.userName) === alphanumeric(request.mac)),
  );
  if (!failed.length) return;
  const rows = failed.map(({ request, decision, reason }) => ({
    tenant_id: request.device.tenantId,
    location_id: decision?.granting.location_id ?? null,
    device_id: request.device.id,
    client_mac: request.mac ?? null,
    client_ip: request.framedIp ?? null,
    provider_slug: decision?.provider_slug ?? 'username',
    ...(decision?.ticket
      ? { params: null, typed_hash: null }
      : typedColumns(app, request.device.tenantId, {
          username: request.userName,
          ...(decision && { password: hidden }),
        })),
    reason: reason!,
    visitor_id: decision?.granting.visitor_id ?? null,
  }));
  await inHalves(app, rows, async part => {
    await app.db.systemTrip(tx => queries.insertFailedLogins(tx, part));
    return [...part];
  });
}

function answer({ decision: d, reason, class: token }: DecidedRequest): AuthorizeDecision {
  if (reason !== null) return { outcome: 'reject', replyMessage: signInRefusals[reason].en };
  if (token === undefined) return { outcome: 'ignore' };
  return {
    outcome: 'accept',
    sessionTimeoutSeconds: d.session_timeout ?? undefined,
    idleTimeoutSeconds: d.idle_timeout,
    interimIntervalSeconds: d.interim,
    uploadBps: d.upload_bps ?? undefined,
    downloadBps: d.download_bps ?? undefined,
    totalBytes: d.total_bytes ?? undefined,
    class: token ?? undefined,
  };
}

// More than a petabyte in one session is a faulty counter. The limit keeps sums within the column's range.
const maxBytes = 2 ** 50;
const maxSeconds = 400 * 86_400;

function accountingRow(record: AccountingRecord): queries.AccountingRow {
  const base = { tenant: record.device.tenantId, device: record.device.id, status: record.status, at: record.at };
  if (!('sessionId' in record)) return base;
  return {
    ...base,
    session: record.sessionId,
    class: record.class,
    user_name: record.userName,
    mac: record.mac,
    ip: record.framedIp,
    ...(record.networks.length > 0 && { networks: record.networks }),
    seconds: Math.min(record.sessionSeconds, maxSeconds),
    upload: Math.min(record.uploadBytes, maxBytes),
    download: Math.min(record.downloadBytes, maxBytes),
    cause: record.terminateCause,
  };
}

const dayMs = 86_400_000;
/** How far account() looks back for the session of a Class, less the day for which an admission waits for its Start. */
const classDays = 61;

/**
 * Whether a record names a sign-in that is too old for a session to begin by it. Such a record is a copy of an old one. Classes of
 * an earlier version have no day.
 */
function isOfOldSignIn({ class: token, at, seconds = 0 }: queries.AccountingRow): boolean {
  const day = /^[0-9a-f]{32}([0-9a-f]{4})$/.exec(token ?? '')?.[1];
  if (day === undefined) return false;
  return at.getTime() - seconds * 1000 - Number.parseInt(day, 16) * dayMs > classDays * dayMs;
}

/** The records without those of an old sign-in, except of sessions that are open: some routers do not send Acct-Session-Time. */
async function withoutCopies(app: App, rows: readonly queries.AccountingRow[]) {
  const old = rows.filter(isOfOldSignIn);
  if (old.length === 0) return rows;
  const open = new Set(await app.db.systemTrip(tx => queries.placesOfOpen(tx, old)));
  const copies = new Set(old.filter((_, place) => !open.has(place)));
  if (copies.size > 0)
    app.log.warn(
      { records: copies.size, devices: [...new Set([...copies].map(it => it.device))] },
      'old accounting was sent again',
    );
  return rows.filter(row => !copies.has(row));
}

async function account(app: App, rows: readonly queries.AccountingRow[]): Promise<undefined[]> {
  const current = await withoutCopies(app, rows);
  if (current.length) await app.db.systemTrip(tx => queries.applyAccounting(tx, current, 'later'));
  return rows.map(() => undefined);
}
