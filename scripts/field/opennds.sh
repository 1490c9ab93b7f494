#!/usr/bin/env bash
# A real openNDS between a phone and Portico, in network namespaces. `npm run field` runs it. Debian packages: opennds, iptables,
# nftables, iproute2, procps, dnsmasq-base, udhcpc, busybox, curl, openssl, php-cli. SHORT=1 leaves out what takes minutes.
#
# openNDS runs in mount, network and PID namespaces of its own, because it stops its helpers by name. It gets the configuration
# of the device's page; only what describes the lab's network is changed.
set -euo pipefail

# 9.10 reads what guests sent by nft, so iptables must be the variant that shares its rules with nft.
IPTABLES=iptables-nft
SHORT=${SHORT:-0}
id=o$$ phone=o$$-phone gw=o$$-gw net=o$$-net
failed=0 started=$SECONDS pids=()
port=${PORTAL##*:}

say() { printf '%3ds  %s\n' $((SECONDS - started)) "$*"; }
fail() { say "FAIL  $1"; failed=$((failed + 1)); }
is() { if [[ $2 == "$3" ]]; then say "ok    $1"; else fail "$1: expected '$3', got '$2'"; fi; }
has() { if [[ $2 == *"$3"* ]]; then say "ok    $1"; else fail "$1: no '$3' in '${2:0:600}'"; fi; }
# Tries a command for so many seconds.
within() { local end=$((SECONDS + $1)); shift; while :; do "$@" >/dev/null 2>&1 && return 0; ((SECONDS < end)) || return 1; sleep .3; done; }
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

# --- Portico: a location with a portal, a device, profiles and visitors
json() { "$NODE" -e 'let s="";process.stdin.on("data",d=>s+=d).on("end",()=>{let v="";try{v=process.argv[1].split(".").filter(Boolean).reduce((o,k)=>o[k],JSON.parse(s))}catch{}console.log(typeof v==="object"?JSON.stringify(v):v??"")})' "$1"; }
api() {
  local method=$1 at=$2
  shift 2
  curl -sS -m 20 -X "$method" "$PANEL/v1/$at" -H 'x-tenant: panel' ${token:+-H "authorization: Bearer $token"} -H 'content-type: application/json' ${1:+-d "$1"}
}
token=$(api POST user/login "{\"email\":\"$ADMIN_EMAIL\",\"password\":\"$ADMIN_PASSWORD\"}" | json data.token)
[[ $token ]] || { say 'Portico refuses the administrator'; exit 1; }
location=$(api POST panel/location '{"name":"Field openNDS"}' | json data.id)
portal=$(api POST panel/portal "{\"name\":\"Field\",\"location_id\":\"$location\"}" | json data.id)
api PUT "panel/portal/$portal" '{"providers":[{"slug":"username","order":0},{"slug":"temp","order":1}]}' >"$WORK/providers.json"
brands=$(api GET panel/device/brands)
brand=$("$NODE" -p 'JSON.parse(process.argv[1]).data.find(b=>b.slug==="opennds").id' "$brands")
device=$(api POST panel/device "{\"name\":\"opennds\",\"brand_id\":\"$brand\",\"mac_address\":\"02:00:00:00:98:01\",\"location_id\":\"$location\"}" | json data.id)
nas=$(api GET "panel/device/$device" | json data.nas_identifier)
# The id of what was made. A refusal ends the lab, because later checks would fail for reasons that they do not tell.
made() { local told id; told=$(cat); id=$(json data.id <<<"$told"); [[ $id ]] || { say "refused: $told" >&2; kill $$; }; echo "$id"; }
profile() { api POST panel/location/user-profile "{\"location_id\":\"$location\",\"name\":\"$1\",\"shared_user\":1,$2}" | made; }
visitor() { api POST panel/client "{${3:-}\"location_id\":\"$location\",\"name\":\"Guest\",\"provider_type\":\"username\",\"username\":\"$1\",\"password\":\"gizli 1\",\"profile_id\":\"$2\"}" | made; }
timed=$(profile Timed '"session_duration":{"is_active":true,"option":"minute","value":5},"max_upload":{"is_active":true,"value":4},"max_download":{"is_active":true,"value":8}')
visitor nds-guest "$timed" >/dev/null

# --- The wires: the phone, the gateway with openNDS, Portico at $UP.1, and a web server that stands for the internet
for n in $phone $gw $net; do ip netns add "$n"; ip -n "$n" link set lo up; done
ip -n $gw link add lan0 address 02:00:00:00:98:01 type veth peer name eth0 address 02:00:00:00:98:50 netns $phone
ip link add "$id-up" type veth peer name wan0 netns $gw
ip -n $gw link add wan1 type veth peer name eth0 netns $net
ip addr add "$UP.1/24" dev "$id-up"
ip link set "$id-up" up
ip -n $gw addr add 10.77.0.1/24 dev lan0
ip -n $gw addr add "$UP.2/24" dev wan0
ip -n $gw addr add 10.97.0.2/24 dev wan1
ip -n $net addr add 10.97.0.1/24 dev eth0
ip -n $net addr add 203.0.113.80/32 dev lo
for l in lan0 wan0 wan1; do ip -n $gw link set $l up; done
ip -n $net link set eth0 up
ip -n $phone link set eth0 up
ip -n $gw route add default via 10.97.0.1
ip netns exec $gw sysctl -qw net.ipv4.ip_forward=1
nat() { for l in wan0 wan1; do ip netns exec $gw $IPTABLES -t nat -A POSTROUTING -o $l -j MASQUERADE; done; }
nat
cat >"$WORK/internet.mjs" <<'JS'
import http from 'node:http';
http.createServer((_, res) => res.end('THE INTERNET\n')).listen(80, '203.0.113.80');
http.createServer((req, res) => { req.resume().on('end', () => res.end(req.method === 'POST' ? 'thanks' : Buffer.alloc(500_000, 120))); }).listen(8080, '203.0.113.80');
JS
ip netns exec $net "$NODE" "$WORK/internet.mjs" & pids+=($!)

# --- The gateway, with the files from the device's page
api GET "panel/device/$device/setup-files" >"$WORK/files.json"
file() { "$NODE" -e 'const[p,n]=process.argv.slice(1);process.stdout.write(JSON.parse(require("fs").readFileSync(p)).data.find(f=>f.name.includes(n)).text)' "$WORK/files.json" "$1"; }
file /etc/opennds/opennds.conf | sed -E "s/^GatewayInterface .*/GatewayInterface lan0/; s/^fasremoteip .*/fasremoteip $UP.1/; s/^checkinterval .*/checkinterval 2/" >"$WORK/opennds.conf"
# The daemon of 9.10 stops at this option, while authmon reads it from the usual place.
{ cat "$WORK/opennds.conf"; echo 'nat_traversal_poll_interval 1'; } >"$WORK/etc.conf"
file portico-gateway | sed 's/sleep 5/sleep 2/' >"$WORK/portico-gateway"
cat >"$WORK/gw.sh" <<'SH'
set -e
mount --bind "$WORK" /mnt; WORK=/mnt
# openNDS moves the chains INPUT and FORWARD to another priority, and then iptables-nft refuses to add rules to them on newer
# kernels (CHAIN_ADD failed). So they stay where iptables makes them; everything else reaches the real nft.
cp "$(command -v nft)" "$WORK/nft"
cat >"$WORK/nft.sh" <<'NFT'
#!/bin/sh
case "$*" in "rename chain ip filter "* | "add chain ip filter INPUT "* | "add chain ip filter FORWARD "*) exit 0 ;; esac
exec /mnt/nft "$@"
NFT
chmod +x "$WORK/nft.sh"
mount --bind "$WORK/nft.sh" "$(readlink -f "$(command -v nft)")"
# openNDS calls plain iptables, which may be the other variant on this machine.
nft=$(readlink -f "$(command -v iptables-nft)") plain=$(readlink -f "$(command -v iptables)")
[[ $plain == "$nft" ]] || mount --bind "$nft" "$plain"
# The folder that TMPDIR names may lie below /tmp, which is another one here.
unset TMPDIR
mount -t tmpfs none /tmp; mount -t tmpfs none /run; mount -t tmpfs none /var/lib/misc; mkdir -p /run/tmpfiles.d
mount --bind "$WORK/etc.conf" /etc/opennds/opennds.conf
printf '127.0.0.1 localhost\n%s portal.field\n' "$UP.1" >"$WORK/hosts"; mount --bind "$WORK/hosts" /etc/hosts
printf 'nameserver 10.77.0.1\n' >"$WORK/resolv"; mount --bind "$WORK/resolv" /etc/resolv.conf
# Without a lease of dnsmasq every guest gets 403.
dnsmasq --conf-file=/dev/null --user=root --interface=lan0 --bind-interfaces --except-interface=lo --pid-file=/run/dnsmasq.pid \
  --dhcp-range=10.77.0.50,10.77.0.99,10m --dhcp-leasefile=/var/lib/misc/dnsmasq.leases --no-resolv --no-hosts \
  --address=/portal.field/"$UP.1"
export SSL_CERT_FILE="$WORK/cert.pem" CURL_CA_BUNDLE="$WORK/cert.pem"
busybox sh "$WORK/portico-gateway" &
# Its threads disturb each other's handling of SIGCHLD, so 9.10 sometimes takes an ended helper for a failed one and gives up
# (src/util.c). Debian's unit starts it again (Restart=on-failure), five times at most.
for _ in 1 2 3 4 5; do
  /usr/bin/opennds -f -d 1 -c "$WORK/opennds.conf" || code=$?
  [[ ! -e $WORK/stopping ]] || exit 0
  echo "openNDS gave up with ${code:-0}"
done
SH
cp "$CERT" "$WORK/cert.pem"
export WORK UP
inner() { pgrep -P "$outer" | head -1; }
ctl() { local p; p=$(inner); [[ $p ]] && nsenter -t "$p" -m -p -n ndsctl "$@" 2>/dev/null; }
gone() { [[ $(ps -o stat= -p "$outer") == "" || $(ps -o stat= -p "$outer") == Z* ]]; }
start_gateway() {
  rm -f "$WORK/stopping"
  ip netns exec $gw unshare --mount --pid --fork --kill-child --mount-proc bash "$WORK/gw.sh" >>"$WORK/opennds.log" 2>&1 & outer=$!
  pids+=("$outer")
  started() { gone || ctl status; }
  if ! within 300 started || gone; then
    say 'openNDS does not start'
    tail -20 "$WORK/opennds.log"
    exit 1
  fi
}
stop_gateway() {
  touch "$WORK/stopping"
  ctl stop >/dev/null 2>&1 || true
  within 45 gone || kill -9 "$outer" 2>/dev/null || true
  wait "$outer" 2>/dev/null || true
  ip netns exec $gw nft flush ruleset
  nat
}
start_gateway
say "openNDS runs: $(/usr/bin/opennds -v)"

cat >"$WORK/lease.sh" <<'SH'
#!/bin/sh
case $1 in bound|renew) ip addr flush dev $interface; ip addr add $ip/24 dev $interface; ip route replace default via ${router%% *}; echo "$ip" >"$WORK/phone.ip";; esac
SH
chmod +x "$WORK/lease.sh"
lease() { ip netns exec $phone busybox udhcpc -n -q -f -t 8 -T 1 -i eth0 -s "$WORK/lease.sh" >"$WORK/dhcp.log" 2>&1 || { cat "$WORK/dhcp.log"; exit 1; }; }
lease
addr=$(cat "$WORK/phone.ip")
say "the phone has the address $addr"

# --- What the phone does
get() { ip netns exec $phone curl -sS -m 25 --resolve "portal.field:$port:$UP.1" --cacert "$WORK/cert.pem" "$@" 2>&1 || true; }
redirect() { get -o /dev/null -w '%{redirect_url}' "$@"; }
field() { grep -o "name=\"$2\"[^>]*value=\"[^\"]*\"" <<<"$1" | head -1 | sed 's/.*value="//;s/"$//' || true; }
# Opens any page, as a new browser, and submits the portal's form. Prints where it ended.
sign_in() {
  rm -f "$WORK/jar"
  local page
  for _ in 1 2 3; do
    page=$(get -L -c "$WORK/jar" -b "$WORK/jar" http://203.0.113.80/news)
    [[ $page == *'name="state"'* ]] && break
  done
  get -L -o "$WORK/after.html" -c "$WORK/jar" -b "$WORK/jar" -w '%{http_code} %{url_effective}' \
    --data-urlencode "state=$(field "$page" state)" --data-urlencode "agree=$(field "$page" agree)" -d "lang=en" "$@" "$PORTAL/w/$nas/sign-in"
}
as_guest() { sign_in -d method=username -d username="${1:-nds-guest}" --data-urlencode "password=${2:-gizli 1}"; }
# ndsctl serves one caller at a time, and authmon and the script come first.
client() {
  local told
  for _ in 1 2 3 4 5 6 7 8; do
    told=$(ctl json "$addr" | tr -d '\n\t' || true)
    [[ $told == *'"state"'* ]] && break
    sleep 1
  done
  echo "$told"
}
# openNDS works for seconds on each request that it redirects, but refuses other ports at once.
inside() { [[ $(get -m 4 -d x http://203.0.113.80:8080/) == thanks ]]; }
out() { ! inside; }
onlines() { api GET "panel/onlines?deviceIds=$device" | json data; }
nobody() { [[ $(onlines) == '[]' ]]; }
somebody() { ! nobody; }
last_session() { api GET "panel/reports/sessions?deviceIds=$device" | json data.0; }
# A busy machine passes on less than the speed that the profile allows.
download() { for _ in 1 2 3 4; do get -m 90 -o /dev/null http://203.0.113.80:8080/; done; }
comes_in() { within 120 inside && within 60 somebody; }
# Signs in by this command, and once more if openNDS gave up meanwhile: it forgets its guests then.
ends_seen() { grep -c '^openNDS gave up' "$WORK/opennds.log" || true; }
goes_online() {
  local before
  before=$(ends_seen)
  "$@" >/dev/null
  comes_in && return
  [[ $(ends_seen) != "$before" ]] && "$@" >/dev/null && comes_in
}

say '--- redirect'
# Right after its start openNDS may close a connection without an answer.
sent() { first=$(redirect 'http://203.0.113.80/some/page?x=1'); [[ $first == *fas=* ]]; }
within 30 sent || true
has 'the phone is sent to the portal' "$first" "$PORTAL/w/$nas/"
has 'with sealed facts' "$first" 'fas='
has 'the portal shows its form' "$(get "$first")" 'name="state"'

say '--- forged'
code() { get -o /dev/null -w '%{http_code}' "$@"; }
base=${first%%\?*}
is 'facts that the gateway did not seal' "$(code "$base?fas=$(printf 'hid=%064d, clientmac=02:00:00:00:00:66' 1 | base64 -w0)&iv=0123456789abcdef")" 400
is 'another path' "$(code "${base%/*}/00000000000000000000000000000000?${first#*\?}")" 400
is 'calls on another path' "$(code -d auth_get=view -d payload=bm9uZQ== "${base%/*}/00000000000000000000000000000000")" 404
has 'the list of permissions is empty' "$(get -d auth_get=view -d payload=bm9uZQ== "$base")" '*'
redirect "http://10.77.0.1:2050/opennds_auth/?tok=$(printf '%064d' 7)&redir=http://203.0.113.80/" >/dev/null
if out; then say 'ok    openNDS refuses a return that the portal did not make'; else fail 'a forged return let the phone in'; fi

say '--- sign-in with a user name'
as_guest nds-guest falsch >/dev/null
has 'a wrong password is refused by the portal' "$(cat "$WORK/after.html")" 'role="alert"'
has 'the right one ends on the status page' "$(as_guest)" "/w/$nas/online"
if comes_in; then say 'ok    openNDS fetched the permission, and the session began'; else fail "the phone stays outside: $(client)"; fi
is 'the phone reaches the internet' "$(get http://203.0.113.80/)" 'THE INTERNET'
has 'the panel lists the session' "$(onlines)" "$addr"
has 'the status page says so' "$(get -L -c "$WORK/jar" -b "$WORK/jar" "$PORTAL/w/$nas/online?lang=en")" 'You are connected'
limits=$(client)
say "      openNDS: $limits"
has 'speeds: 8 Mbit/s down' "$limits" '"download_rate_limit_threshold":"8000'
has 'and 4 up' "$limits" '"upload_rate_limit_threshold":"4000'
is 'time limit: five minutes' "$("$NODE" -p 'const c=JSON.parse(process.argv[1]);const x=Object.values(c.clients??{a:c})[0];Number(x.session_end)-Number(x.session_start)' "$limits")" 300
download
counted() { [[ $(onlines) =~ \"download\":2[0-9]{6} ]]; }
within 90 counted || true
has 'the script counts the 2 MB while the guest is online' "$(onlines)" '"download":2'

say '--- kick from the panel'
api POST "panel/kick/$(onlines | json 0.rhid)" '{}' >"$WORK/kick.json"
has 'the panel says when' "$(cat "$WORK/kick.json")" '"within":10'
within 60 out || true
if out; then say 'ok    openNDS has ended the session'; else fail 'still signed in'; fi
# openNDS closes the firewall seconds before it forgets the guest, and answers 511 meanwhile.
asked_again() { [[ $(redirect http://203.0.113.80/) == *fas=* ]]; }
if within 60 asked_again; then say 'ok    the phone is redirected again'; else fail "not redirected: $(get -i http://203.0.113.80/ | head -3)"; fi
within 60 nobody || true
is 'the panel lists nobody' "$(onlines)" '[]'
has 'and knows that it ended' "$(last_session)" '"close_reason":"stop"'

say '--- free access, traffic both ways and log-out on the portal'
if goes_online sign_in -d method=temp; then
  say 'ok    signed in without a password'
  download
  head -c 300000 /dev/zero | get -o /dev/null --data-binary @- http://203.0.113.80:8080/
  sleep 3
  get -L -o "$WORK/out.html" -c "$WORK/jar" -b "$WORK/jar" -d lang=en "$PORTAL/w/$nas/log-out"
  within 45 out || true
  if out; then say 'ok    the log-out reached openNDS'; else fail 'still signed in after the log-out'; fi
  within 60 nobody || true
  session=$(last_session)
  down=$(json download <<<"$session") up=$(json upload <<<"$session")
  if ((down > 1900000 && down < 2600000)); then say "ok    download of 2 MB: $down"; else fail "download of 2 MB: $down"; fi
  if ((up > 280000 && up < 600000)); then say "ok    upload of 0.3 MB: $up"; else fail "upload of 0.3 MB: $up"; fi
else fail "free access: $(client)"; fi

if [[ $SHORT == 0 ]]; then
  say '--- a volume limit of 1 MB'
  visitor nds-volume "$(profile Volume '"session_quota":{"is_active":true,"option":"mb","value":1}')" >/dev/null
  if goes_online as_guest nds-volume; then say 'ok    signed in'; else fail 'not signed in'; fi
  download
  within 90 out || true
  if out; then say 'ok    openNDS ends the session after 2 MB'; else fail "still signed in: $(client)"; fi
  within 60 nobody || true
  is 'the panel lists nobody' "$(onlines)" '[]'

  say '--- Portico restarts'
  as_guest >/dev/null
  comes_in || fail 'not signed in'
  download
  touch "$WORK/restart"
  restarted() { [[ ! -e $WORK/restart ]]; }
  within 150 restarted || fail 'Portico did not restart'
  has 'the session is still known' "$(onlines)" "$addr"
  within 90 counted || true
  has 'and counted' "$(onlines)" '"download":2'

  say '--- the gateway restarts'
  stop_gateway
  start_gateway
  lease
  within 120 nobody || true
  is 'its sessions are closed' "$(onlines)" '[]'

  say '--- the end of the visit, in one or two minutes'
  visitor nds-ends "$timed" "\"session_end_at\":\"$(date -u -d '+85 seconds' +%FT%TZ)\"," >/dev/null
  as_guest nds-ends >/dev/null
  if comes_in; then say 'ok    the phone signs in again'; else fail "not signed in: $(client)"; fi
  within 200 out || true
  if out; then say 'ok    openNDS ends the session by itself'; else fail "still signed in: $(client)"; fi
  within 60 nobody || true
  has 'and says so' "$(last_session)" '"close_reason":"stop"'
fi

stop_gateway
gave_up=$(ends_seen)
((gave_up == 0)) || say "openNDS itself gave up and was started again, $gave_up times"
say "done, $failed failed"
exit $((failed > 0))
