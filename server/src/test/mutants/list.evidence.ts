import type { Mutant } from './mutant.ts';

const features = 'server/src/features';
const identity = `${features}/identity/identity.test.ts`;
const record = `${features}/logs/record.test.ts`;

/** The legal record, the search for a guest, and what the audit log must have. */
export const ofEvidence: readonly Mutant[] = [
  {
    wrong: 'a part of a log line that a guest chose looks like a line of its own in the signed report',
    file: `${features}/identity/report.ts`,
    from: 'visibleText(text)}`, left(doc)',
    to: 'text}`, left(doc)',
    test: identity,
    title: 'the PDF shows a line as one, although a guest chose a part of it',
  },
  {
    wrong: 'a tenant that moves stops the log counts of all tenants',
    file: `${features}/logs/intake.queries.ts`,
    from: "writable.has(t.tenantId) ? 'kept' : 'left'",
    to: "'kept'",
    test: `${features}/logs/counts.test.ts`,
    title: 'a tenant that moves does not stop the counts of others',
  },
  {
    wrong: 'a forged link of a log chain becomes a genuine one by a move',
    file: `${features}/logs/resign.ts`,
    from: 'const isGenuine = from(text) === link.signature;',
    to: 'const isGenuine = true;',
    test: `${features}/logs/resign.test.ts`,
    title: 'is signed again for another installation',
  },
  {
    wrong: 'a guest who had left is named as certain',
    file: `${features}/identity/identity.queries.ts`,
    from: '(s.ended_at is null or s.ended_at >= ${at}) and ${held} as covers',
    to: '${held} as covers',
    test: identity,
    title: 'is exact only about the guest who was online then',
    always: true,
  },
  {
    wrong: 'a search finds no guest after an erasure',
    file: `${features}/identity/identity.queries.ts`,
    from: 'v.id is not null and v.erased_at is null',
    to: 'v.id is not null',
    test: identity,
    title: 'names a guest whose data was erased',
  },
  {
    wrong: 'an export of sessions is not in the audit log',
    file: `${features}/sessions/sessions.service.ts`,
    from: "  await app.db.withTenant(actor.tenantId, tx =>\n    audit(tx, actor, {\n      verb: 'export',",
    to: "  await app.db.withTenant(actor.tenantId, tx =>\n    (async (..._: unknown[]) => {})(tx, actor, {\n      verb: 'export',",
    test: 'server/src/test/audit-walk.test.ts',
    title: 'every export writes an audit entry',
  },
  {
    wrong: 'raw lines are deleted before they are sealed',
    file: `${features}/logs/logs.jobs.ts`,
    from: 'if (segment.end <= needed) await rm(segment.file)',
    to: 'await rm(segment.file)',
    test: record,
    title: 'keeps all raw lines of a day that is not sealed yet',
  },
  {
    wrong: 'the log file of the first day that is kept is deleted',
    file: `${features}/logs/seal.queries.ts`,
    from: 'and day < ${before}::date order by day, chain_number',
    to: 'and day <= ${before}::date order by day, chain_number',
    test: record,
    title: 'the file of the first day that is kept stays',
  },
  {
    wrong: 'a rewritten link in the middle of the chain is accepted',
    file: `${features}/logs/verify.ts`,
    from: '      unsigned.previous !== previous ||\n',
    to: '',
    test: `${features}/logs/verify.test.ts`,
    title: 'a chain that was edited, truncated or forged',
  },
  {
    wrong: 'accounting of a sign-in of months ago begins a session when it is sent again',
    file: `${features}/sessions/sessions.radius.ts`,
    from: 'const classDays = 61;',
    to: 'const classDays = 6100;',
    test: 'server/src/test/attacks/replayed-accounting.test.ts',
    title: 'of months ago',
  },
  {
    wrong: 'a change of a device is recorded with values that another change had replaced',
    file: `${features}/devices/devices.service.ts`,
    from: "  found(await queries.findPlace(tx, reach, id, 'lock'));\n",
    to: '',
    test: 'server/src/test/audit-walk.test.ts',
    title: 'changes at the same time are recorded one after another',
  },
];
