-- A message that waited until its code expired is not sent. Messages that are waiting now have no expiry: those of codes wait for minutes.
alter table sms_messages add column expires_at timestamptz;
alter table outbox_mails add column expires_at timestamptz;
