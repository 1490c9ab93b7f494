import type { MessageKey } from '@portico/contract/field-messages.ts';
import { sessionSkips } from '@portico/contract/import-kinds.ts';
import type { ImportChoices, VisitorImport } from '@portico/contract/imports.ts';
import { say } from '@portico/contract/validation.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { findPrice } from '#features/profiles/public.ts';
import { type Actor, isLimited, may } from '#http/actor.ts';
import { AppError, found, foundAgain, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { rightsOf } from '#http/rights.ts';
import * as queries from './imports.queries.ts';
import { deleteSome } from './sessions/session-imports.queries.ts';

export type Call = Context & { actor: Actor };

const listedProblems = 200;

/** An import with its report. */
export async function describeImport(tx: Tx, call: Call, row: queries.StoredImport): Promise<VisitorImport> {
  const { findings, bytes, received, ...shown } = row;
  const problems = await queries.listProblems(tx, row.id, listedProblems);
  return {
    ...shown,
    ...(row.state === 'ready' && row.source !== 'sessions' ? await planOf(tx, row) : {}),
    groups: row.groups.map(group => ({ ...group, hints: [...group.hints] })),
    unknown: [...(findings.unknown ?? [])],
    passwords: [...(findings.passwords ?? [])],
    own_limits: findings.own_limits ?? 0,
    accounting: findings.accounting ?? 0,
    sessions: bytes === null ? null : { bytes, received, ...sessionReport(call, findings) },
    problems: problems.map(({ line, username, problem }) => ({
      line,
      username,
      message: say(problem.key as MessageKey, call.language, problem.values),
    })),
  };
}

function sessionReport({ language }: Call, it: Partial<queries.SessionReport>) {
  const { first_at = null, last_at = null, without_mac = 0, skipped = {}, problem } = it;
  return {
    first_at,
    last_at,
    without_mac,
    skipped: sessionSkips.flatMap(reason => {
      const found = skipped[reason];
      return found ? [{ reason, message: say(`session_${reason}`, language), ...found }] : [];
    }),
    problem: problem ? say(problem.key as MessageKey, language, problem.values) : null,
  };
}

/** Computes the effects that the import would have now. */
export async function planOf(
  tx: Tx,
  { id, existing }: Pick<queries.StoredImport, 'id' | 'existing'>,
): Promise<queries.Plan> {
  const plan = await queries.countPlan(tx, id);
  return existing === 'update'
    ? { created: plan.fresh, updated: plan.existing, skipped: plan.bad }
    : { created: plan.fresh, updated: 0, skipped: plan.bad + plan.existing };
}

export const getImport = (call: Call, id: string): Promise<VisitorImport> =>
  call.inTenant(async tx => describeImport(tx, call, found(await queries.findImport(tx, call.actor.reach, id))));

/** The import, locked, if it was not started yet. */
async function open(tx: Tx, call: Call, id: string): Promise<queries.StoredImport> {
  const row = found(await queries.findImport(tx, call.actor.reach, id, 'lock'));
  if (row.state !== 'ready') throw new AppError('conflict');
  return row;
}

/** Users who may not change every visitor of the location may not let an import do it. */
function checkUpdate({ actor }: Call, existing: ImportChoices['existing']): void {
  if (existing === 'update' && (isLimited(actor) || !may(actor, 'update-clients'))) throw new AppError('not_allowed');
}

/** A past session belongs to no device, so that members who are limited to some have nothing to do with it. */
export function checkUnlimited(actor: Actor): void {
  if (isLimited(actor)) throw new AppError('not_allowed');
}

async function checkProfile(tx: Tx, locationId: string, profileId: string, field: string): Promise<void> {
  const profile = await findPrice(tx, locationId, profileId);
  if (!profile) throw invalid({ [field]: 'unknown' });
  if (profile.paid_sale.is_active) throw invalid({ [field]: 'import_paid_profile' });
}

export async function chooseForImport(call: Call, id: string, choices: ImportChoices): Promise<VisitorImport> {
  checkUpdate(call, choices.existing);
  return call.inTenant(async tx => {
    const row = await open(tx, call, id);
    if (row.source === 'sessions') throw new AppError('conflict');
    const chosen = new Map(choices.groups.map(it => [it.name, it.profile_id]));
    for (const [at, group] of choices.groups.entries()) {
      if (!row.groups.some(it => it.name === group.name)) throw invalid({ [`groups.${at}.name`]: 'unknown' });
      if (group.profile_id) await checkProfile(tx, row.location_id, group.profile_id, `groups.${at}.profile_id`);
    }
    const groups = row.groups.map(it => ({
      ...it,
      profile_id: chosen.get(it.name) ?? (chosen.has(it.name) ? null : it.profile_id),
    }));
    await queries.updateImport(tx, id, { existing: choices.existing, groups });
    await queries.keepPlan(tx, id, await planOf(tx, { id, existing: choices.existing }));
    await audit(tx, call.actor, {
      verb: 'update',
      subject: { type: 'visitor-import', id, name: row.file_name },
      locationId: row.location_id,
      before: { existing: row.existing, groups: namesOf(row.groups) },
      after: { existing: choices.existing, groups: namesOf(groups) },
    });
    return describeImport(tx, call, { ...row, existing: choices.existing, groups });
  });
}

const namesOf = (groups: readonly queries.StoredGroup[]) =>
  Object.fromEntries(groups.map(it => [it.name || '–', it.profile_id]));

const starterOf = ({ actor }: Call) => ({ userId: actor.userId, rights: rightsOf(actor) });

export async function startImport(call: Call, id: string): Promise<VisitorImport> {
  return call.inTenant(async tx => {
    const row = await open(tx, call, id);
    if (row.source === 'sessions') return startSessions(tx, call, row);
    checkUpdate(call, row.existing);
    for (const { profile_id: profileId } of row.groups)
      if (profileId) await checkProfile(tx, row.location_id, profileId, 'groups');
    const plan = await planOf(tx, row);
    await queries.startImport(tx, id, starterOf(call));
    await audit(tx, call.actor, {
      verb: 'create',
      subject: { type: 'visitor', name: row.file_name },
      locationId: row.location_id,
      after: { import: id, total_user: plan.created, updated: plan.updated },
    });
    return describeImport(tx, call, found(await queries.findImport(tx, call.actor.reach, id)));
  });
}

async function startSessions(tx: Tx, call: Call, row: queries.StoredImport): Promise<VisitorImport> {
  checkUnlimited(call.actor);
  await queries.startImport(tx, row.id, starterOf(call));
  await audit(tx, call.actor, {
    verb: 'create',
    subject: { type: 'session-list', name: row.file_name },
    locationId: row.location_id,
    after: { import: row.id, sessions: row.created },
  });
  return describeImport(tx, call, found(await queries.findImport(tx, call.actor.reach, row.id)));
}

/** Past sessions go with their import: many of them in a job, and what is being deleted already is left to it. */
export const deleteImport = (call: Call, id: string): Promise<void> =>
  call.inTenant(async tx => {
    const row = found(await queries.findImport(tx, call.actor.reach, id, 'lock'));
    if (row.source === 'sessions') checkUnlimited(call.actor);
    if (row.state === 'deleting') throw new AppError('conflict');
    if (row.source === 'sessions') await deleteSome(tx, id);
    else foundAgain(await queries.deleteImport(tx, id));
    await audit(tx, call.actor, {
      verb: 'delete',
      subject: { type: 'visitor-import', id, name: row.file_name },
      locationId: row.location_id,
      before: { state: row.state, created: row.created, total: row.total },
    });
  });
