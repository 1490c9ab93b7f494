/** An IPv4 address that came through an IPv6 socket as an IPv4 address, and an IPv6 address without its zone (RFC 4007). */
export function plainAddress(address: string): string {
  const plain = address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
  const zone = plain.indexOf('%');
  return zone < 0 ? plain : plain.slice(0, zone);
}
