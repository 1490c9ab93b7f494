import type { Mutant } from './mutant.ts';

const features = 'server/src/features';
const hooks = `${features}/integrations`;
const hookEvents = `${hooks}/webhook-events.test.ts`;

/** Functions and triggers that send events. */
export const ofWebhooks: readonly Mutant[] = [
  {
    wrong: 'a webhook gets events of another location',
    from: '(i.location_id = location or (wide and i.location_id is null)) and i.kind',
    to: 'i.kind',
    test: `${hooks}/webhook.test.ts`,
    title: 'is limited to its location',
  },
  {
    wrong: 'a webhook gets events that it did not choose',
    from: 'and event_name = any(i.events) and (target is null or i.id = target)',
    to: 'and (target is null or i.id = target)',
    test: `${hooks}/webhook.test.ts`,
    title: 'gets a sale and its reversal',
  },
  {
    wrong: 'an event is sent again',
    from: 'once_key\n  from integrations i',
    to: 'null\n  from integrations i',
    test: `${hooks}/webhook-problems.test.ts`,
    title: 'mails that reach the limit of the day',
  },
  {
    wrong: 'a session that is found again comes online again for webhooks',
    from: 'where not s.reopened and has_webhook',
    to: 'where has_webhook',
    test: `${hooks}/webhook.test.ts`,
    title: 'gets a session that is found again',
  },
  {
    wrong: 'a guest who leaves is no event',
    statement: 'drop trigger emit_guest_offline on online_sessions',
    test: `${hooks}/webhook.test.ts`,
    title: 'gets signed events of visitors and of guests who come and go',
  },
  {
    wrong: 'a reversal looks like a sale',
    from: "case when s.reverses is null then 'sale.created' else 'sale.reversed' end",
    to: "'sale.created'",
    test: `${hooks}/webhook.test.ts`,
    title: 'gets a sale and its reversal',
  },
  {
    wrong: 'an end of access is told twice',
    from: "update integrations i set expired_until = now() - interval '1 minute'",
    to: 'update integrations i set expired_until = i.expired_until',
    test: hookEvents,
    title: 'a visitor whose access ended, once, and not of those before it asked',
  },
  {
    wrong: 'an erased visitor is told of at the end of its access',
    from: "and v.session_end_at <= now() - interval '1 minute' and v.erased_at is null;",
    to: "and v.session_end_at <= now() - interval '1 minute';",
    test: hookEvents,
    title: 'a visitor whose access ended, once, and not of those before it asked',
  },
  {
    wrong: 'a licence is told more than once per mark',
    from: 'and i.licence_told is distinct from mark',
    to: '',
    test: hookEvents,
    title: 'its location, and its licence once per mark',
  },
  {
    wrong: 'the webhook of a tenant hears of a licence more than once per mark',
    from: 'and l.licence_told is distinct from mark;',
    to: ';',
    test: hookEvents,
    title: 'is told once of what several locations show',
  },
  {
    wrong: 'deliveries about a deleted visitor stay',
    statement: 'drop trigger delete_deliveries on visitors',
    test: `${hooks}/webhook.test.ts`,
    title: 'keeps no data of a deleted visitor',
  },
  {
    wrong: 'an event tells of fields that did not change',
    from: 'unnest(shown || tg_argv[3]::text[]) c where before->c is distinct from after->c order by c',
    to: 'unnest(shown || tg_argv[3]::text[]) c order by c',
    test: hookEvents,
    title: 'session profiles, packages and portals, by what changed',
  },
  {
    wrong: 'a shared portal is told of to locations that do not show it',
    from: 'where l.tenant_id = p_tenant and (l.portal_id = p_portal\n',
    to: 'where l.tenant_id = p_tenant and (true\n',
    test: hookEvents,
    title: 'a shared portal where it is shown',
  },
];
