import { factoryDefault, pasteInto } from '@portico/simulator/router-os/terminal.ts';
import { describe, expect, test } from 'vitest';
import { mikrotikScript } from '#routers/mikrotik/script.ts';
import { undoScript } from '#routers/mikrotik/undo-script.ts';

/*
 * A guest sends syslog, NetFlow and RADIUS packets to our server. Behind the router's NAT they come from the router's address,
 * which is proven. Our server cannot tell them apart, so the router has to drop them.
 */
const facts = {
  ...{ version: '7' as const, gateway_interface: 'ether1', gateway_ip: '192.0.2.2', hotspot_subnet: '10.5.50.0/24' },
  ...{ hotspot_address: '10.5.50.1', guestInterfaces: ['wlan1'], nasIdentifier: 'k3v9x2mqab7c', secret: 'secret' },
  radius: { host: '198.51.100.1', auth_port: 1812, acct_port: 1813 },
  ...{ coaPort: 3799, syslogPort: 5514, netflowPort: 2055, syslogTlsPort: 6514, radsecPort: 2083 },
  ...{ captiveUrl: 'https://wifi.example.com', loginFileUrl: 'https://panel.example.com/x' },
  poll: { url: 'https://panel.example.com/y', token: 'token' },
};
const script = mikrotikScript(facts);

/** The router's action for a guest's new connection to our server: that of the first rule that decides. */
function fate(protocol: string, port: number): string {
  const router = factoryDefault();
  router.get('/ip firewall filter')?.push({ '.id': '*a', chain: 'forward', action: 'accept', comment: 'everything' });
  pasteInto(router, script);
  const rules = router.get('/ip firewall filter') ?? [];
  const first = rules.find(
    rule =>
      rule['chain'] === 'forward' &&
      rule['action'] !== 'log' &&
      (rule['in-interface'] ?? 'portico') === 'portico' &&
      (rule['dst-address'] ?? '198.51.100.1') === '198.51.100.1' &&
      (rule['protocol'] ?? protocol) === protocol &&
      (rule['dst-port'] ?? `${port}`).split(',').includes(`${port}`),
  );
  return first?.['action'] ?? 'accept';
}

describe('a guest who sends packets in the name of the router', () => {
  test.each([
    ['udp', 1812],
    ['udp', 1813],
    ['udp', 5514],
    ['udp', 2055],
    ['tcp', 5514],
    ['tcp', 6514],
    ['tcp', 2083],
  ])('is stopped by the router: %s %i', (protocol, port) => {
    expect(fate(protocol, port)).toBe('drop');
  });

  test('reaches the portal as before', () => {
    expect(fate('tcp', 443)).not.toBe('drop');
    expect(fate('udp', 53)).not.toBe('drop');
  });

  test('is free again once the setup is undone', () => {
    const router = factoryDefault();
    pasteInto(router, script);
    pasteInto(router, undoScript(2055));
    expect((router.get('/ip firewall filter') ?? []).map(rule => rule['action'])).toEqual(['fasttrack-connection']);
  });
});
