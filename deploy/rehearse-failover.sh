#!/bin/bash
# Rehearses the runbook "High availability" of docs/operations.md on this machine, on throw-away servers: a standby, its
# promotion, the old primary as the new standby, and a restore from the WAL archive. Needs PostgreSQL's own programs.
#   PGBIN=/usr/lib/postgresql/15/bin deploy/rehearse-failover.sh
set -euo pipefail
PGBIN=${PGBIN:-$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)}
[ -x "$PGBIN/pg_basebackup" ] || { echo "There is no pg_basebackup: install postgresql, or set PGBIN" >&2; exit 1; }
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d -t portico-rehearsal-XXXXXX)
mkdir "$work/archive" "$work/data"
as=()
if [ "$(id -u)" = 0 ]; then
  as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  chown 65534:65534 "$work" "$work/archive"
fi
pg() { "${as[@]}" env -C "$work" LC_ALL=C TZ=UTC "$PGBIN/$1" "${@:2}"; }
port() { case $1 in a) echo 54391 ;; b) echo 54392 ;; c) echo 54393 ;; esac; }
sql() { pg psql -XAtq -v ON_ERROR_STOP=1 -h "$work" -p "$(port "$1")" -U "${3:-postgres}" -d "${4:-portico}" -c "$2"; }
start() { pg pg_ctl -D "$work/$1" -l "$work/$1.log" -w -t 60 -o "-p $(port "$1") -c unix_socket_directories=$work -c listen_addresses=127.0.0.1" start >/dev/null; }
stop() { pg pg_ctl -D "$work/$1" -m "${2:-fast}" stop >/dev/null 2>&1 || true; }
portico() {
  env -C "$root" NODE_ENV=test DATA_DIR="$work/data" SECRET_KEY=rehearsal-rehearsal-rehearsal-32 \
    DATABASE_URL="postgresql://portico@127.0.0.1:$(port "$1")/portico" PATH="$root/node_modules/.bin:$PATH" \
    node server/src/cli.ts "${@:2}"
}
until_true() { for _ in $(seq 200); do [ "$(sql "$@")" = t ] && return; sleep 0.1; done; echo "Not in time: $2" >&2; exit 1; }
trap 'code=$?; [ $code = 0 ] || tail -n 5 "$work"/*.log; for server in a b c; do stop $server immediate; done; rm -rf "$work"' EXIT
step() { echo "[$SECONDS s] $*"; }

step "A is the primary, with a WAL archive"
pg initdb -D "$work/a" -A trust -U postgres -E UTF8 --locale=C >/dev/null
cat >>"$work/a/postgresql.conf" <<CONF
wal_level = replica
wal_log_hints = on
hot_standby_feedback = on
archive_mode = on
archive_timeout = 60
archive_command = 'if [ -f $work/archive/%f ]; then cmp -s %p $work/archive/%f; else cp %p $work/archive/.%f && mv $work/archive/.%f $work/archive/%f; fi'
CONF
start a
sql a 'create role portico login createrole' postgres postgres
sql a 'create database portico owner portico' postgres postgres
portico a tenant list >"$work/before"
sql a "select pg_create_physical_replication_slot('b')" >/dev/null

step "B is the standby"
pg pg_basebackup -D "$work/b" -h "$work" -p "$(port a)" -U postgres -c fast -R -S b
pg pg_basebackup -D "$work/base" -h "$work" -p "$(port a)" -U postgres -c fast
start b
sql a 'create table rehearsal (n int)'
sql a 'insert into rehearsal select generate_series(1, 1000)'
until_true b "select pg_last_wal_replay_lsn() >= '$(sql a 'select pg_current_wal_flush_lsn()')'"

step "A crashes; B is promoted"
stop a immediate
sql b 'select pg_promote()' >/dev/null
until_true b 'select not pg_is_in_recovery()'
[ "$(sql b 'select count(*) from rehearsal')" = 1000 ] || { echo 'B lost rows' >&2; exit 1; }
portico b tenant list >"$work/after"
cmp "$work/before" "$work/after"
sql b 'insert into rehearsal select generate_series(1001, 1010)'
sql b "select pg_create_physical_replication_slot('a')" >/dev/null

step "A comes back as the standby of B"
# pg_rewind replays what A had not written yet, so A must not be started before: it would archive another history.
pg pg_rewind -D "$work/a" --source-server="host=$work port=$(port b) user=postgres dbname=postgres" >/dev/null 2>&1
cat >>"$work/a/postgresql.auto.conf" <<CONF
primary_conninfo = 'host=$work port=$(port b) user=postgres'
primary_slot_name = 'a'
CONF
"${as[@]}" touch "$work/a/standby.signal"
start a
until_true a "select pg_last_wal_replay_lsn() >= '$(sql b 'select pg_current_wal_flush_lsn()')'"
[ "$(sql a 'select count(*) from rehearsal')" = 1010 ] || { echo 'A does not follow B' >&2; exit 1; }

step "A mistake; C is restored from the archive to the moment before it"
moment=$(sql b 'select clock_timestamp()')
sleep 1
sql b 'truncate rehearsal'
segment=$(sql b 'select pg_walfile_name(pg_switch_wal())')
for _ in $(seq 200); do [ -f "$work/archive/$segment" ] && break; sleep 0.1; done
[ -f "$work/archive/$segment" ] || { echo "B did not archive $segment" >&2; exit 1; }
"${as[@]}" cp -a "$work/base" "$work/c"
cat >>"$work/c/postgresql.conf" <<CONF
archive_mode = off
restore_command = 'cp $work/archive/%f %p'
recovery_target_time = '$moment'
recovery_target_action = promote
CONF
"${as[@]}" touch "$work/c/recovery.signal"
start c
until_true c 'select not pg_is_in_recovery()'
[ "$(sql c 'select count(*) from rehearsal')" = 1010 ] || { echo 'C is not of that moment' >&2; exit 1; }
portico c tenant list >"$work/restored"
cmp "$work/before" "$work/restored"
step "Done: nothing was lost"
