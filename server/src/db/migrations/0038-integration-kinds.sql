/* Integrations of every kind: what keeps one from working in plain words, and whom and what passes through it. */
alter table integrations alter column fields drop not null;
alter table integrations add column problem text;
alter table integrations add column events text[] not null default '{}';
alter table integrations add column doubted boolean not null default false;
comment on column integrations.connection is 'encrypted with SECRET_KEY, with the secrets';
comment on column integrations.problem is 'a key of integrationProblems; last_error is what the other side said';
comment on column integrations.events is 'what a webhook tells of';
comment on column integrations.doubted is 'the last read brought nobody, where there had been guests';
create index integrations_webhooks on integrations (tenant_id, location_id) where kind = 'webhook';
create unique index integrations_one_sms on integrations (tenant_id, location_id)
  where kind in ('netgsm', 'iletimerkezi', 'twilio', 'vonage', 'sms-http');
create unique index integrations_one_smtp on integrations (tenant_id, location_id) where kind = 'smtp';

/* Sessions end at check-out, whatever the router was told when they began. */
alter table kicks drop constraint kicks_reason_check;
alter table kicks add constraint kicks_reason_check check (reason in ('operator', 'licence', 'blocked', 'stay-over'));

/* The location's own gateway, and what it says of a message. */
alter table sms_messages drop constraint sms_messages_state_check;
alter table sms_messages add constraint sms_messages_state_check check (state in ('waiting', 'sent', 'delivered', 'failed'));
alter table sms_messages add column integration_id uuid;
alter table sms_messages add column gateway_id text;
alter table sms_messages add column recipient text;
alter table sms_messages add column problem text;
alter table sms_messages add column check_at timestamptz;
alter table sms_messages add column delivered_at timestamptz;
alter table sms_messages add foreign key (tenant_id, integration_id) references integrations on delete set null (integration_id);
comment on column sms_messages.recipient is 'masked';
comment on column sms_messages.check_at is 'when the gateway is next asked whether it was delivered';
create index sms_messages_integration on sms_messages (tenant_id, integration_id, id desc) where integration_id is not null;
create index sms_messages_check on sms_messages (check_at) where check_at is not null;

/* A guest's mail goes by the mail server of its location, if that has one. */
alter table outbox_mails add column location_id uuid;
alter table outbox_mails add foreign key (tenant_id, location_id) references locations on delete set null (location_id);
create index outbox_mails_location on outbox_mails (tenant_id, location_id) where location_id is not null;

/* Notifications tell the reason in the reader's language. */
update notifications set data = data || jsonb_build_object('reason_en', data->'reason', 'reason_tr', data->'reason')
where kind = 'integration_failing' and data ? 'reason';

/* Sign-in with an account elsewhere: what stands on the button, readable without opening what is encrypted. */
alter table integrations add column label text;
create index integrations_social on integrations (tenant_id, location_id) where kind = 'openid';
