import type { Readable } from 'node:stream';
import type { ImportedSession } from '@portico/contract/imports.ts';
import { copyCsv } from '#db/copy.ts';
import { audit } from '#features/audit/public.ts';
import { actorIn } from '#features/locations/public.ts';
import { reportPeriod, safeForSpreadsheets, streamedCsv, viewerOf } from '#features/sessions/public.ts';
import type { Rows } from '#http/page.ts';
import { type Call, checkUnlimited } from '../imports.service.ts';
import * as queries from './imported-sessions.queries.ts';

interface Query extends Omit<queries.ImportedFilter, 'period'> {
  readonly session_date?: readonly string[] | undefined;
  readonly location_id?: string | undefined;
  readonly locationIds?: readonly string[] | undefined;
  readonly page: number;
  readonly per_page: number;
}

async function prepared(call: Call, query: Query) {
  const actor = await call.read(tx => actorIn(tx, call.actor, query));
  checkUnlimited(actor);
  const period = query.session_date ? reportPeriod(actor, query.session_date) : undefined;
  return { actor, filter: { ...query, period } };
}

export async function importedSessions(call: Call, query: Query): Promise<Rows<ImportedSession>> {
  const { actor, filter } = await prepared(call, query);
  return call.read(tx => queries.listImportedSessions(tx, viewerOf(actor), filter));
}

const headers = {
  en: 'Username,Visitor,MAC,IP,NAS,Session start,Session end,Seconds,Download (bytes),Upload (bytes),Cause',
  tr: 'Kullanıcı adı,Ziyaretçi,MAC,IP,NAS,Oturum başlangıcı,Oturum bitişi,Saniye,İndirme (bayt),Yükleme (bayt),Neden',
} as const;

/** The list as CSV, streamed. */
export async function exportImported(call: Call, query: Query): Promise<Readable> {
  const { actor, filter } = await prepared(call, query);
  const { app, language } = call;
  await app.db.withTenant(actor.tenantId, tx =>
    audit(tx, actor, {
      verb: 'export',
      subject: { type: 'session-list', name: 'imported-sessions.csv' },
      locationId: actor.activeLocationId,
    }),
  );
  const inside = { tenantId: actor.tenantId, timeZone: actor.timeZone };
  const rows = await copyCsv(app.db, inside, queries.importedExport(viewerOf(actor), filter, safeForSpreadsheets));
  return streamedCsv(app, headers[language], rows);
}
