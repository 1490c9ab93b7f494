/** An IPv4 address that came through an IPv6 socket is written as an IPv4 address. */
export const plainAddress = (address: string): string => (address.startsWith('::ffff:') ? address.slice(7) : address);
