import { sessionFile } from '@portico/contract/import-kinds.ts';
import type { VisitorImport } from '@portico/contract/imports.ts';
import { audit } from '#features/audit/public.ts';
import { chooseLocation } from '#features/locations/public.ts';
import { AppError, found, invalid } from '#http/app-error.ts';
import type { Upload } from '#http/call.ts';
import { newId } from '#lib/ids.ts';
import { findImport } from '../imports.queries.ts';
import { type Call, checkUnlimited, describeImport } from '../imports.service.ts';
import * as queries from './session-imports.queries.ts';

/** Two of the largest files. */
const spaceOfTenant = 2 * sessionFile.bytes;

/** Announces a file, whose parts then come one after the other. */
export const announceSessions = (
  call: Call,
  it: { location_id?: string | null | undefined; file_name: string; bytes: number },
): Promise<VisitorImport> =>
  call.inTenant(async tx => {
    const locationId = await chooseLocation(tx, call.actor, it.location_id);
    checkUnlimited(call.actor);
    if ((await queries.unfinishedBytes(tx)) + it.bytes > spaceOfTenant) throw invalid({ bytes: 'import_space' });
    const id = newId();
    await queries.insertSessionImport(tx, {
      id,
      location_id: locationId,
      file_name: it.file_name,
      bytes: it.bytes,
      created_by: call.actor.userId,
    });
    await audit(tx, call.actor, {
      verb: 'create',
      subject: { type: 'visitor-import', id, name: it.file_name },
      locationId,
      after: { source: 'sessions', bytes: it.bytes },
    });
    return describeImport(tx, call, found(await findImport(tx, call.actor.reach, id)));
  });

export const addPart = (call: Call, id: string, startsAt: number, file: Upload): Promise<VisitorImport> =>
  call.inTenant(async tx => {
    const row = found(await findImport(tx, call.actor.reach, id, 'lock'));
    checkUnlimited(call.actor);
    if (row.state !== 'uploading' || row.bytes === null) throw new AppError('conflict');
    if (startsAt !== row.received) throw invalid({ starts_at: ['part_place', { at: row.received }] });
    if (file.bytes.length === 0) throw invalid({ file: 'required' });
    if (startsAt + file.bytes.length > row.bytes) throw invalid({ file: 'part_long' });
    await queries.insertPart(tx, id, startsAt, file.bytes);
    return describeImport(tx, call, found(await findImport(tx, call.actor.reach, id)));
  });
