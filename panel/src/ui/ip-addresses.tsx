/** The IPv4 address of a guest device, and its IPv6 addresses below. */
export function IpAddresses({ ipv4, ipv6 }: { ipv4: string | null; ipv6: readonly string[] }) {
  const all = ipv4 === null ? ipv6 : [ipv4, ...ipv6];
  if (all.length === 0) return '–';
  // One element: on a phone the cell of a card lays out its parts side by side.
  return (
    <div>
      {all.map(address => (
        <div key={address}>{address}</div>
      ))}
    </div>
  );
}
