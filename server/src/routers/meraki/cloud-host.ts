/** The hosts of Meraki's cloud that take sign-ins, such as `n143.network-auth.com`. */
export const isMerakiCloud = (host: string): boolean => /^([a-z0-9-]{1,63}\.)?network-auth\.com$/.test(host);
