#!/usr/bin/env bash
# Tries a real CoovaChilli between a phone and Portico, in network namespaces. `npm run field` starts it.
# Debian packages to run it: iproute2 iptables busybox udhcpc ethtool xxd curl procps openssl. To build chilli as well:
# build-essential autoconf automake libtool pkg-config gengetopt libjson-c-dev libssl-dev. It also needs /dev/net/tun.
# chilli is configured with the file from the device's page. Only what describes the lab's network is changed.
set -euo pipefail

CHILLI_PREFIX=${CHILLI_PREFIX:-}
CHILLI_SRC=${CHILLI_SRC:-}
CHILLI_REF=${CHILLI_REF:-1.8} # 1.9 answers nothing to a wrong password
IPTABLES=${IPTABLES:-iptables}
LONG=${LONG:-1}
id=f$$ phone=f$$-phone gw=f$$-gw net=f$$-net
failed=0 started=$SECONDS pids=()

say() { printf '%3ds  %s\n' $((SECONDS - started)) "$*"; }
fail() { say "FAIL  $1"; failed=$((failed + 1)); }
is() { if [[ $2 == "$3" ]]; then say "ok    $1"; else fail "$1: expected '$3', got '$2'"; fi; }
has() { if [[ $2 == *"$3"* ]]; then say "ok    $1"; else fail "$1: no '$3' in '${2:0:600}'"; fi; }
# Tries a command every 250 ms, at most so many times.
within() { local n=$1; shift; for _ in $(seq "$n"); do "$@" >/dev/null 2>&1 && return 0; sleep .25; done; return 1; }
cleanup() {
  set +e
  for p in "${pids[@]}"; do kill "$p" 2>/dev/null; done
  sleep .3
  for n in $phone $gw $net; do
    for p in $(ip netns pids "$n" 2>/dev/null); do kill -9 "$p" 2>/dev/null; done
    ip netns del "$n" 2>/dev/null
  done
  ip link del "$id-up" 2>/dev/null
}
trap cleanup EXIT

if [[ ! $CHILLI_PREFIX ]]; then
  CHILLI_PREFIX=$WORK/chilli
  git clone -q -b "$CHILLI_REF" -c advice.detachedHead=false "$CHILLI_SRC" "$WORK/chilli-src"
  (cd "$WORK/chilli-src" && ./bootstrap && ./configure --prefix="$CHILLI_PREFIX" --disable-static --with-openssl --enable-json \
    --disable-debug CFLAGS='-O1 -w' && make -j2 && make install) >"$WORK/build.log" 2>&1 || { tail "$WORK/build.log"; exit 1; }
  say 'chilli is built'
fi
export LD_LIBRARY_PATH=$CHILLI_PREFIX/lib

# --- Portico: a location with a portal, a device, profiles and visitors
json() { "$NODE" -e 'let s="";process.stdin.on("data",d=>s+=d).on("end",()=>{let v="";try{v=process.argv[1].split(".").filter(Boolean).reduce((o,k)=>o[k],JSON.parse(s))}catch{}console.log(typeof v==="object"?JSON.stringify(v):v??"")})' "$1"; }
api() {
  local method=$1 at=$2
  shift 2
  curl -sS -m 20 -X "$method" "$PANEL/v1/$at" -H 'x-tenant: panel' ${token:+-H "authorization: Bearer $token"} -H 'content-type: application/json' ${1:+-d "$1"}
}
token=$(api POST user/login "{\"email\":\"$ADMIN_EMAIL\",\"password\":\"$ADMIN_PASSWORD\"}" | json data.token)
[[ $token ]] || { say 'Portico refuses the administrator'; exit 1; }
location=$(api POST panel/location '{"name":"Field"}' | json data.id)
portal=$(api POST panel/portal "{\"name\":\"Field\",\"location_id\":\"$location\"}" | json data.id)
api PUT "panel/portal/$portal" '{"providers":[{"slug":"username","order":0},{"slug":"temp","order":1}]}' >"$WORK/providers.json"
brands=$(api GET panel/device/brands)
brand=$("$NODE" -p 'JSON.parse(process.argv[1]).data.find(b=>b.slug==="coovachilli").id' "$brands")
device=$(api POST panel/device "{\"name\":\"chilli\",\"brand_id\":\"$brand\",\"mac_address\":\"02:00:00:00:99:01\",\"location_id\":\"$location\"}" | json data.id)
detail=$(api GET "panel/device/$device")
nas=$(json data.nas_identifier <<<"$detail")
# The id of what was made. A refusal ends the lab, because later checks would fail for reasons that they do not tell.
made() { local told id; told=$(cat); id=$(json data.id <<<"$told"); [[ $id ]] || { say "refused: $told" >&2; kill $$; }; echo "$id"; }
profile() { api POST panel/location/user-profile "{\"location_id\":\"$location\",\"name\":\"$1\",\"shared_user\":1,$2}" | made; }
visitor() { api POST panel/client "{${3:-}\"location_id\":\"$location\",\"name\":\"Guest\",\"provider_type\":\"username\",\"username\":\"$1\",\"password\":\"gizli 1\",\"profile_id\":\"$2\"}" | made; }
speeds='"max_upload":{"is_active":true,"value":4},"max_download":{"is_active":true,"value":8}'
timed=$(profile Timed "\"session_duration\":{\"is_active\":true,\"option\":\"minute\",\"value\":5},$speeds")
slow=$(profile Slow '"session_duration":{"is_active":true,"option":"minute","value":5},"max_upload":{"is_active":true,"value":1},"max_download":{"is_active":true,"value":2}')
guest=$(visitor field-guest "$timed")

# --- The wires: the phone, the gateway with chilli, Portico at $UP.1, and a web server that stands for the internet
for n in $phone $gw $net; do ip netns add "$n"; ip -n "$n" link set lo up; done
ip -n $gw link add lan0 address 02:00:00:00:99:01 type veth peer name eth0 address 02:00:00:00:99:50 netns $phone
ip link add "$id-up" type veth peer name wan0 netns $gw
ip -n $gw link add wan1 type veth peer name eth0 netns $net
ip addr add "$UP.1/24" dev "$id-up"
ip link set "$id-up" up
ip -n $gw addr add "$UP.2/24" dev wan0
ip -n $gw addr add 10.97.0.2/24 dev wan1
ip -n $net addr add 10.97.0.1/24 dev eth0
ip -n $net addr add 203.0.113.80/32 dev lo
for l in lan0 wan0 wan1; do ip -n $gw link set $l up; done
ip -n $net link set eth0 up
ip -n $phone link set eth0 up
# chilli reads whole frames, so no checksum may be left to the network card.
ip netns exec $phone ethtool -K eth0 tx off >/dev/null
ip -n $gw route add default via 10.97.0.1
ip netns exec $gw sysctl -qw net.ipv4.ip_forward=1
cat >"$WORK/internet.mjs" <<'JS'
import http from 'node:http';
http.createServer((_, res) => res.end('THE INTERNET\n')).listen(80, '203.0.113.80');
http.createServer((req, res) => { req.resume().on('end', () => res.end(req.method === 'POST' ? 'thanks' : Buffer.alloc(500_000, 120))); }).listen(8080, '203.0.113.80');
JS
ip netns exec $net "$NODE" "$WORK/internet.mjs" & pids+=($!)

# --- The gateway, with the configuration from the device's page
mkdir -p "$WORK/state" "$CHILLI_PREFIX/var/run"
printf '#!/bin/sh\nfor l in wan0 wan1; do %s -t nat -A POSTROUTING -s 10.1.0.0/24 -o $l -j MASQUERADE; done\n%s -I FORWARD -i lan0 -j DROP\n' "$IPTABLES" "$IPTABLES" >"$WORK/up.sh"
chmod +x "$WORK/up.sh"
api GET "panel/device/$device/setup-files" | json data.0.text | sed -E 's/^dhcpif .*/dhcpif lan0/; s#^net .*#net 10.1.0.0/24#; s/^dns1 .*/dns1 '"$UP"'.1/' >"$WORK/chilli.conf"
cat >>"$WORK/chilli.conf" <<CONF
lease 600
nosystemdns
radiuslisten $UP.2
radiustimeout 2
radiusretry 2
tundev tun7
statedir $WORK/state
pidfile $WORK/state/chilli.pid
cmdsocket $WORK/state/chilli.sock
unixipc $WORK/state/chilli.ipc
ipup $WORK/up.sh
interval 0
CONF
query() { ip netns exec $gw "$CHILLI_PREFIX/sbin/chilli_query" -s "$WORK/state/chilli.sock" "$@" 2>&1; }
# chilli keeps its options in var/run by process id and takes an old file for its own, so each start has an empty var/run.
start_chilli() {
  ip netns exec $gw unshare --pid --fork --kill-child --mount --mount-proc sh -c \
    'mount -t tmpfs none "$1/var/run" && exec "$1/sbin/chilli" --fg --debug --conf "$2/chilli.conf"' - "$CHILLI_PREFIX" "$WORK" >>"$WORK/chilli.log" 2>&1 &
  outer=$!
  pids+=("$outer")
  within 40 query list || { say 'chilli does not start'; tail -20 "$WORK/chilli.log"; exit 1; }
}
start_chilli
say "chilli runs: $("$CHILLI_PREFIX/sbin/chilli" --version | head -1)"

cat >"$WORK/lease.sh" <<'SH'
#!/bin/sh
case $1 in bound|renew) ip addr flush dev $interface; ip addr add $ip/24 dev $interface; ip route replace default via ${router%% *}; echo "$ip" >"$WORK/phone.ip";; esac
SH
chmod +x "$WORK/lease.sh"
export WORK
lease() { ip netns exec $phone busybox udhcpc -n -q -f -t 8 -T 1 -i eth0 -s "$WORK/lease.sh" >"$WORK/dhcp.log" 2>&1 || { cat "$WORK/dhcp.log"; exit 1; }; }
lease
say "the phone has the address $(cat "$WORK/phone.ip")"

# --- What the phone does
get() { ip netns exec $phone curl -sS -m 8 "$@" 2>&1 || true; }
redirect() { get -o /dev/null -w '%{redirect_url}' "$@"; }
field() { grep -o "name=\"$2\"[^>]*value=\"[^\"]*\"" <<<"$1" | head -1 | sed 's/.*value="//;s/"$//' || true; }
# Opens any page, as a new browser, and submits the portal's form. Prints where it ended.
sign_in() {
  rm -f "$WORK/jar"
  local page
  page=$(get -L -c "$WORK/jar" -b "$WORK/jar" http://203.0.113.80/news)
  get -L -o "$WORK/after.html" -c "$WORK/jar" -b "$WORK/jar" -w '%{http_code} %{url_effective}' \
    --data-urlencode "state=$(field "$page" state)" --data-urlencode "agree=$(field "$page" agree)" -d "lang=en" "$@" "$PORTAL/w/$nas/sign-in"
}
as_guest() { sign_in -d method=username -d username="${1:-field-guest}" --data-urlencode "password=${2:-gizli 1}"; }
state() { query list | awk '{print $3}'; }
passed() { [[ $(state) == pass ]]; }
out() { [[ $(state) == dnat ]]; }
onlines() { api GET "panel/onlines?deviceIds=$device" | json data; }
nobody() { [[ $(onlines) == '[]' ]]; }
somebody() { ! nobody; }
last_session() { api GET "panel/reports/sessions?deviceIds=$device" | json data.0; }
# A busy machine passes on less than the speed that the profile allows.
download() { for _ in 1 2 3 4; do get -m 90 -o /dev/null http://203.0.113.80:8080/; done; }

say '--- redirect'
first=$(redirect 'http://203.0.113.80/some/page?x=1')
has 'the phone is sent to the portal with a signed address' "$first" "$PORTAL/w/$nas?res=notyet"
has 'the portal shows its form' "$(get "$first")" 'name="state"'

say '--- forged addresses'
code() { get -o /dev/null -w '%{http_code}' "$1"; }
is 'another gateway address' "$(code "${first/uamip=10.1.0.1/uamip=10.1.0.66}")" 400
is 'another device' "$(code "$(sed 's/mac=[^&]*/mac=02-00-00-00-00-66/' <<<"$first")")" 400
is 'another signature' "$(code "${first%&md=*}&md=00000000000000000000000000000000")" 400
is 'no signature' "$(code "${first%&md=*}")" 400
redirect 'http://10.1.0.1:3990/logon?username=field-guest&response=00000000000000000000000000000000' >"$WORK/forged"
has 'chilli refuses a response that the portal did not make' "$(cat "$WORK/forged")" 'res=failed'
has 'the portal explains the refusal' "$(get -L "$(cat "$WORK/forged")")" '<main'

say '--- sign-in with a user name'
as_guest field-guest falsch >/dev/null
has 'a wrong password is refused by the portal' "$(cat "$WORK/after.html")" 'role="alert"'
is 'and the phone stays outside' "$(state)" dnat
has 'the right one ends on the status page' "$(as_guest)" "/w/$nas/online"
has 'which says so' "$(cat "$WORK/after.html")" 'You are connected'
is 'the phone reaches the internet' "$(get http://203.0.113.80/)" 'THE INTERNET'
within 20 somebody || true
has 'the panel lists the session' "$(onlines)" "$(cat "$WORK/phone.ip")"
limits=$(query list)
say "      chilli: $limits"
has 'time limit: five minutes' "$limits" '/300 '
has 'speeds: 8 Mbit/s down, 4 up' "$limits" '%/8000000 '

say '--- kick from the panel'
api POST "panel/kick/$(onlines | json 0.rhid)" '{}' >"$WORK/kick.json"
within 20 out || true
is 'chilli has ended the session' "$(state)" dnat
has 'the phone is redirected again' "$(redirect http://203.0.113.80/)" 'res=notyet'
within 20 nobody || true
is 'the panel lists nobody' "$(onlines)" '[]'

say '--- free access, then traffic both ways and log-out on the portal'
sign_in -d method=temp >/dev/null
if passed; then
  say 'ok    signed in without a password'
  download
  head -c 300000 /dev/zero | get -o /dev/null --data-binary @- http://203.0.113.80:8080/
  get -L -o "$WORK/out.html" -c "$WORK/jar" -b "$WORK/jar" -d lang=en "$PORTAL/w/$nas/log-out"
  within 20 out || true
  is 'the log-out reached chilli' "$(state)" dnat
  has 'and the portal says so' "$(cat "$WORK/out.html")" 'logged out'
  within 20 nobody || true
  session=$(last_session)
  down=$(json download <<<"$session") up=$(json upload <<<"$session")
  if ((down > 2000000 && down < 2600000)); then say "ok    download of 2 MB: $down"; else fail "download of 2 MB: $down"; fi
  if ((up > 300000 && up < 600000)); then say "ok    upload of 0.3 MB: $up"; else fail "upload of 0.3 MB: $up"; fi
else fail "free access: $(cat "$WORK/after.html" | sed 's/<style.*<\/style>//' | head -c 900)"; fi

say '--- a volume limit of 1 MB'
volume=$(profile Volume '"session_quota":{"is_active":true,"option":"mb","value":1}')
if [[ $volume ]]; then
  visitor field-volume "$volume" >/dev/null
  as_guest field-volume >/dev/null
  is 'signed in' "$(state)" pass
  download
  within 20 out || true
  is 'chilli ends the session after 2 MB' "$(state)" dnat
  get -o /dev/null http://10.1.0.1:3990/logoff
else fail 'no profile with a volume limit'; fi
within 20 nobody || true

say '--- other speeds for a guest who is online'
as_guest >/dev/null
within 20 somebody || true
api POST "panel/client/$guest/move" "{\"profile_id\":\"$slow\"}" >"$WORK/move.json"
slower() { query list | grep -q '%/2000000'; }
within 40 slower || true
changed=$(query list)
has 'the new speeds hold' "$changed" '%/2000000'
say "      session and idle limits after the change: $(awk '{print $7, $8}' <<<"$changed")"

get -o /dev/null http://10.1.0.1:3990/logoff
within 20 nobody || true

if [[ $LONG == 1 ]]; then
  say '--- Portico restarts, then an interim update'
  visitor field-ends "$timed" "\"session_end_at\":\"$(date -u -d '+85 seconds' +%FT%TZ)\"," >"$WORK/visitor.id"
  as_guest field-ends >/dev/null
  within 20 somebody || true
  download
  touch "$WORK/restart"
  gone() { [[ ! -e $WORK/restart ]]; }
  within 400 gone || fail 'Portico did not restart'
  has 'the session is still known' "$(onlines)" "$(cat "$WORK/phone.ip")"
  counted() { [[ $(onlines) =~ \"download\":2[0-9]{6} ]]; }
  within 240 counted || true
  has 'the interim update brings the 2 MB' "$(onlines)" '"download":2'
  say '--- the end of the visit'
  within 240 out || true
  is 'chilli ends the session by itself' "$(state)" dnat
  within 40 nobody || true
  is 'the panel lists nobody' "$(onlines)" '[]'
  has 'and knows that it ended' "$(last_session)" '"close_reason":"stop"'
fi

say '--- the gateway restarts'
api POST "panel/client/$guest/move" "{\"profile_id\":\"$timed\"}" >"$WORK/move.json"
within 20 nobody || true
as_guest >/dev/null
within 20 somebody || true
kill -TERM "$(pgrep -P "$outer" | head -1)"
within 40 nobody || true
is 'Accounting-Off closes the sessions' "$(onlines)" '[]'
start_chilli
lease
has 'the phone signs in again' "$(as_guest)" "/w/$nas/online"

say "done, $failed failed"
exit $((failed > 0))
