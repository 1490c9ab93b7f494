/** The IPv4 address of a guest device, and its IPv6 addresses below. */
export function IpAddresses({ ipv4, ipv6 }: { ipv4: string | null; ipv6: readonly string[] }) {
  const all = ipv4 === null ? ipv6 : [ipv4, ...ipv6];
  if (all.length === 0) return '–';
  return all.map(address => <div key={address}>{address}</div>);
}
