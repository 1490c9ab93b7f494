const kinds = 4096;

/** Lines of a RouterOS: 45 % firewall, 50 % web proxy, 5 % dhcp; a few sites get most of the requests, a few routers send most. */
export function linesOf(nas: readonly string[]): Buffer[] {
  return Array.from({ length: kinds }, (_, i) => {
    const head = `<134>Oct 21 09:30:00 ${nas[Math.floor(nas.length * ((i * 0.618) % 1) ** 1.6)]}`;
    const guest = `10.${i % 200}.${i % 250}.${i % 240}`;
    if (i % 20 < 9)
      return Buffer.from(
        `${head} forward: in:bridge-guest out:ether1, connection-state:new src-mac aa:bb:cc:dd:ee:ff, proto TCP (SYN), ${guest}:5${i}->142.250.${i % 200}.14:443, len 60`,
      );
    const site = Math.floor(50_000 ** ((i * 0.382) % 1));
    if (i % 20 < 19)
      return Buffer.from(`${head} ${guest} GET http://h${site}.site${site % 997}.com/page  action=allow cache=MISS`);
    return Buffer.from(`${head} dhcp1 assigned ${guest} to AA:BB:CC:DD:EE:FF phone`);
  });
}
