import { expect, test } from 'vitest';
import { hostOfUrl, logTypes } from './log-line.ts';
import { parseLogLine } from './log-lines.ts';

const seeds = [
  'firewall,info p: forward: in:a out:b, connection-state:new src-mac aa:bb:cc:dd:ee:ff, proto TCP (SYN), 1.2.3.4:5->6.7.8.9:443, len 60',
  'web-proxy,account 10.5.50.9 GET http://user@example.com:80/x  action=allow cache=MISS',
  'dns done query: #1 a.example.com 1.2.3.4',
  'log_type="Firewall" log_subtype="Allowed" dst_ip="1.2.3.4" domain=www. example.com bytes_sent=1 con_event="Stop"',
  'x[1]: id="0001" sys="SecureWeb" sub="http" action="pass" url="https://a.example.com/" size="311"',
  'msg_id="3000-0148" Allow 1-Trusted 0-External 52 tcp 20 127 10.0.1.2 8.8.8.8 62443 80 offset 8 S 832026162 win 8192 (HTTP-00)',
];

test('any line gives storable values and never throws', () => {
  let seed = 42;
  const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % below;
  for (let i = 0; i < 60_000; i++) {
    const line = [...(seeds[random(seeds.length)] as string)];
    for (let n = random(6); n > 0; n--) {
      const at = random(line.length);
      if (random(3) === 0) line.splice(at, random(20));
      else if (random(2) === 0)
        line.splice(at, 0, ...(seeds[random(seeds.length)] as string).slice(random(50), random(120)));
      else line[at] = String.fromCharCode(random(256));
    }
    for (const brand of ['mikrotik', 'sophos', 'watchguard', undefined]) {
      const facts = parseLogLine(brand, line.join(''));
      // Without expect(), which takes longer than to read the line.
      if (!logTypes.includes(facts.type)) throw new Error(`${line.join('')}: ${facts.type}`);
      for (const text of [facts.domain, facts.application, facts.country, facts.answer?.name])
        if (text !== undefined && !/^[\x20-\x7e]{1,253}$/.test(text)) throw new Error(`${line.join('')}: ${text}`);
      for (const number of [facts.recv, facts.sent, facts.port])
        if (number !== undefined && !Number.isSafeInteger(number)) throw new Error(`${line.join('')}: ${number}`);
    }
  }
});

// There is no clock here: quadratic time over a quarter of a megabyte would exceed the limit of any test.
test('a malicious line is read in linear time', () => {
  const hostile = [
    ' in: out:, proto ',
    'CEF:0|MikroTik|a|b|c|d|e|',
    'a:',
    ' 1:1:1:',
    '=',
    ' a=',
    'a="',
    'assigned ',
    'assigned 1.1.1.1.1.1.1 ',
    ' GET ',
    'msg_id="3000-0148" Allow ',
    '   ',
    'dns done query: #1 ',
    'log_type= sys="',
    '.a',
    '->',
    '@:/',
  ].flatMap(piece => [
    piece.repeat(262_144 / piece.length),
    `msg_id="3000-0148" Allow ${piece.repeat(262_144 / piece.length)}`,
    `log_type="Firewall" url=${piece.repeat(262_144 / piece.length)}`,
  ]);
  for (const line of hostile)
    for (const brand of ['mikrotik', 'sophos', 'watchguard']) {
      expect(logTypes, `${brand}: ${line.slice(0, 60)}`).toContain(parseLogLine(brand, line).type);
    }
});

test('lines of a deleted device are read by the first driver that knows them', () => {
  expect(seeds.map(line => parseLogLine(undefined, line).type)).toEqual([
    'firewall',
    'proxy',
    'dns',
    'firewall',
    'proxy',
    'firewall',
  ]);
});

test('hostOfUrl finds the host of a URL', () => {
  expect(hostOfUrl('http://a.example.com/x@y:z')).toBe('a.example.com');
  expect(hostOfUrl('http://u:p@a.example.com/')).toBeUndefined();
  expect(hostOfUrl('a.example.com:443')).toBe('a.example.com');
  expect(hostOfUrl('http://1.2.3.4/')).toBeUndefined();
  expect(hostOfUrl('')).toBeUndefined();
});
