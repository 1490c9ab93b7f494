import {
  guestArrival,
  guestMakeRoom,
  guestSignIn,
  guestSocialForm,
  guestSurveyForm,
} from '@portico/contract/guest-forms.ts';
import { draftOf, matchColumns } from '#features/visitors/import-rows.ts';
import { unstorable } from '#http/unstorable.ts';
import { CsvProblem, decodeText, readCsv } from '#lib/csv-read.ts';
import { drivers } from '#routers/drivers.ts';
import { parseLogLine, readConnection, readLease } from '#routers/log-lines.ts';
import { loginUrl, returnAddress } from '#routers/return-address.ts';
import { readHeader } from '#syslog/header.ts';
import { createSenders } from '#syslog/senders.ts';
import type { Target } from './target.ts';

const senders = createSenders();
senders.replace(
  ['mikrotik', 'sophos', 'watchguard'].map((brand, n) => ({
    ...{
      tenantId: '1',
      deviceId: `${n}`,
      locationId: '3',
      nasIdentifier: `abcdefg${n}`,
      brand,
      timeZone: 'Europe/Istanbul',
    },
    ...{ serial: brand === 'watchguard' ? '80AB12345' : null, loggingEnabled: true },
    sources: [{ address: '10.0.0.1', prefix: 32, proof: 'radius' as const }],
  })),
);

function runLine(input: Buffer): void {
  const line = input.toString('latin1');
  const { bodyAt } = readHeader(line);
  senders.identify(line, '10.0.0.1');
  senders.identify(line, '10.9.9.9');
  const message = line.slice(bodyAt);
  for (const brand of [undefined, ...drivers.map(({ slug }) => slug)]) {
    parseLogLine(brand, message);
    readConnection(brand, message);
    readLease(brand, message);
  }
}

function runCsv(input: Buffer): void {
  try {
    const [header, ...records] = readCsv(decodeText(input), 100);
    if (!header) return;
    const columns = matchColumns(header);
    for (const record of records) {
      const draft = draftOf(columns, record);
      JSON.stringify(draft.input);
      new Date(draft.validFrom ?? 0).getTime();
    }
  } catch (error) {
    if (!(error instanceof CsvProblem)) throw error;
  }
}

const device = { hotspot_address: null, serial_number: '80AB12345' };
const forms = [guestSignIn, guestSurveyForm, guestMakeRoom, guestSocialForm];

/** Parses a guest's query by the portal and by each brand, and the same as a form. */
function runGuest(input: Buffer): void {
  const query = Object.fromEntries(
    [...new URLSearchParams(input.toString('utf8'))].filter(([, value]) => unstorable(value) === undefined),
  );
  const arrival = guestArrival.parse(query);
  for (const form of forms) form.safeParse(query);
  const url = `http://portal.example/w/abcdefgh?${input.toString('latin1')}`;
  const request = { query, arrival, referrer: query['referrer'] ?? '', url, device, secret: () => 'secret' };
  for (const driver of drivers) {
    const read = { ...(driver.readArrival?.(request) ?? arrival), ...driver.sharedEntry?.read(query).arrival };
    driver.problemOf(read.error);
    for (const hotspot of [null, '10.5.50.1/24']) {
      const login = returnAddress(read.login, { hotspot_address: hotspot });
      if (!login) continue;
      if (hotspot && login.hostname !== '10.5.50.1') throw new Error(`a guest would be sent to ${login.hostname}`);
      driver.isGenuine?.({ device, login, mac: read.mac, secret: () => 'secret' });
      const out = driver.signOutUrl(login, 'name');
      if (out && new URL(out).host !== login.host) throw new Error(`a guest would be signed out at ${out}`);
      if (driver.form?.appliesTo(login)) driver.form.signIn(login, 'ticket', 'https://wifi.example/online');
      loginUrl(login, 'ticket', 'https://portal.example/online');
    }
  }
}

const texts = (...lines: string[]): Buffer[] => lines.map(line => Buffer.from(line, 'utf8'));
const fw = '<134>Oct 21 09:30:00 abcdefg0 ';

export const textTargets: readonly Target[] = [
  {
    ...{ name: 'syslog-line', longest: 4000, run: runLine },
    seeds: texts(
      `${fw}forward: in:guest out:wan, connection-state:established,snat src-mac a0:00:00:00:00:01, proto TCP (ACK), 10.5.50.20:5->198.51.100.9:443, NAT (10.5.50.20:5->203.0.113.9:5)->198.51.100.9:443, len 52`,
      `${fw}dhcp,info abcdefg0: portico assigned 10.5.50.20 for A0:00:00:00:00:01 phone`,
      `${fw}web-proxy: abcdefg0: 10.5.50.20 GET http://example.com/a?b  action=allow cache=MISS`,
      `${fw}dns: abcdefg0: done query: #1 example.com 198.51.100.9`,
      '<134>CEF:0|MikroTik|RB|7.18|1|firewall|Low|dvchost=abcdefg0 dvc=10.0.0.1 msg=forward: in:guest out:wan, proto UDP, 10.5.50.20:5->1.1.1.1:53, len 52',
      '<30>device="SFW" date=2026-10-21 time=09:30:00 timezone="+03" device_name="abcdefg1" log_type="Firewall" log_component="Firewall Rule" src_ip=10.5.50.20 dst_ip=198.51.100.9 protocol="TCP" src_port=5 dst_port=443 sent_bytes=10 recv_bytes=20 tran_src_ip=203.0.113.9 tran_src_port=5',
      '<142>Oct 21 09:30:00 80AB12345 firewall: msg_id="3000-0148" Allow 1-Trusted 0-External 60 tcp 20 64 10.5.50.20 198.51.100.9 51234 443 offset 8 S 1 win 5 src_ip_nat="203.0.113.9" src_port_nat="5" sent_bytes="10" rcvd_bytes="20"',
      '<30>Oct 21 09:30:00 80AB12345 dhcpd: DHCPACK on 10.5.50.20 to a0:00:00:00:00:01 (phone) via eth1',
      '<134>1 2026-10-21T09:30:00Z abcdefg0 firewall 1 - [a b="c\\"]"] \u00ef\u00bb\u00bfforward: x',
    ),
    words: texts(
      ...[
        'device_name="',
        'src_ip=',
        'proto ',
        '->',
        'NAT (',
        ' len ',
        'msg_id="',
        'DHCPACK on ',
        'assigned ',
        'dvchost=',
      ],
      ...[
        'http://',
        'example.com',
        '\\"',
        '"',
        '[',
        ']',
        '  ',
        ': ',
        ', ',
        '255.255.255.255',
        'a0:00:00:00:00:01',
        'x.x.x.x.',
      ],
    ),
  },
  {
    ...{ name: 'csv', longest: 4000, run: runCsv },
    seeds: texts(
      'Name;Username;Password;Valid until\r\nA;a;secret1;21.10.2026 10:00\r\n"B ""x""\n";b;c;2026-13-40\r\n',
      'Ad soyad,Yöntem,T.C. kimlik no,Doğum tarihi\nÇiğdem,TC Kimlik,10000000146,01/02/1990\n',
      '\ufeffname\temail\tphone\na\tb@example.com\t+905551112233\n',
    ),
    words: [
      ...texts(
        '"',
        '""',
        ';',
        ',',
        '\t',
        '\r\n',
        "'=",
        '31.02.2026',
        '2026-02-30 25:61',
        'Valid from',
        'Room',
        '\ufeff',
        'İ',
        '\u{1f600}',
      ),
      ...[Buffer.of(0xff, 0xfe), Buffer.of(0xfe, 0xff), Buffer.of(0), Buffer.of(0xdd, 0xfd)],
    ],
  },
  {
    ...{ name: 'guest-forms', longest: 6000, run: runGuest },
    seeds: texts(
      'mac=A0:00:00:00:00:01&ip=10.5.50.20&login=http://10.5.50.1/login&orig=http://example.com/&error=&v=2',
      'step=plain&referrer=https%3A%2F%2F10.5.50.1%3A8090%2F%3Furl%3Dx&login=',
      'sn=80AB12345&mac=a0:00:00:00:00:01&ts=1790000000&xtm=http%3A%2F%2F10.0.0.1%3A4106%2Fwgcgi.cgi&redirect=http%3A%2F%2Fx&error=510',
      'state=abc&method=username&username=a&password=b&agree=1&email=a%40b.c&phone=5',
      'state=abc&method=sms&phone=%2B90555&code=1234&again=1&q-1=a&q-1-2=b',
      'state=a&method=room-number&room_number=101&id_number=1&birth_date=1.2.1990&provider=00000000-0000-4000-8000-000000000000',
    ),
    words: texts(
      ...[
        '&login=',
        'http://',
        'https://[::1]:8090/',
        '//10.5.50.1@evil.example',
        '10.5.50.1',
        '%00',
        '%ff',
        '%ed%a0%80',
      ],
      ...[
        '.local',
        '/login.xml',
        '#',
        '\\',
        '\u0131',
        '__proto__=',
        'constructor=',
        '&step=plain',
        '&error=',
        '&xtm=',
        '&ts=',
      ],
    ),
  },
];
