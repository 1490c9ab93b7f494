/** The tables in ClickHouse. Rows with the same key are summed when parts merge, so every query must sum too. */
export const schema = (retentionDays: number): string[] => [
  `create table if not exists log_minutes (
    tenant_id UUID, device_id UUID, minute DateTime('UTC'), lines UInt64
  ) engine = SummingMergeTree(lines) partition by toYYYYMM(minute) order by (tenant_id, device_id, minute)
  ttl minute + toIntervalDay(${retentionDays}) settings non_replicated_deduplication_window = 10000`,
  `create table if not exists log_tops (
    tenant_id UUID, device_id UUID, kind LowCardinality(String), day Date, hour UInt8, name String, recv UInt64, sent UInt64, connections UInt64
  ) engine = SummingMergeTree((recv, sent, connections)) partition by toYYYYMM(day) order by (tenant_id, device_id, kind, day, hour, name)
  ttl day + toIntervalDay(${retentionDays}) settings non_replicated_deduplication_window = 10000`,
  // The retention may have changed since the tables were created.
  `alter table log_minutes modify ttl minute + toIntervalDay(${retentionDays}) settings materialize_ttl_after_modify = 0`,
  `alter table log_tops modify ttl day + toIntervalDay(${retentionDays}) settings materialize_ttl_after_modify = 0`,
];

export const into = {
  minutes: 'log_minutes (tenant_id, device_id, minute, lines)',
  tops: 'log_tops (tenant_id, device_id, kind, day, hour, name, recv, sent, connections)',
} as const;

const ofDevice = 'tenant_id = {tenant:UUID} and device_id = {device:UUID}';
const between = `${ofDevice} and minute >= toDateTime({from:UInt32}, 'UTC') and minute < toDateTime({to:UInt32}, 'UTC')`;

export const minutesBetween = `
  select toUnixTimestamp(minute) as at, sum(lines) as lines from log_minutes where ${between} group by at order by at`;

export const hoursBetween = `
  select toUnixTimestamp(toStartOfHour(minute)) as at, sum(lines) as lines from log_minutes where ${between} group by at order by at`;

export const listTops = `
  select name as domain, sum(log_tops.recv) as recv, sum(log_tops.sent) as sent, recv + sent as total, sum(log_tops.connections) as connections
  from log_tops where ${ofDevice} and kind = {kind:String} and day between {first:Date} and {last:Date}
    and (day > {first:Date} or hour >= {first_hour:UInt8}) and (day < {last:Date} or hour <= {last_hour:UInt8})
  group by name order by total desc, connections desc, domain limit 20`;
