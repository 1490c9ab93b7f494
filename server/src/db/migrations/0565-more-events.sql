-- Events for the rest of what screens show: new purchases and room charges, text messages, log files and the audit log.
drop trigger tell_moments on purchases;
call tell_moments('purchases', 'purchase',
  '{id, visitor_id, package_id, package, days, amount, tax, currency, provider, payment, state, paid_at, refunded_at}',
  '{created=created_at, paid=paid_at, failed=state:failed, refused=state:refused, refunded=refunded_at, charged_back=state:charged-back}');
drop trigger tell_moments on room_charges;
call tell_moments('room_charges', 'room_charge',
  '{id, integration_id, visitor_id, sale_id, amount, currency, state, answer, answered_at}',
  '{created=created_at, posted=state:posted, refused=state:refused, cancelled=state:cancelled}');
call tell_moments('sms_messages', 'message', '{id, integration_id, recipient, state, problem, sent_at, delivered_at}',
  '{sent=state:sent, delivered=state:delivered, failed=state:failed}');
call tell_changes('log_files', 'log_file', 'device_id', '{id, device_id, type, day, part, sealed_at, sha256}', '{problem, erased_at}');
call tell_moments('audit_log', 'audit', '{id, user_id, verb, subject_type, subject_id, device_id}', '{recorded=created_at}');
