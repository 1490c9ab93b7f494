import { z } from 'zod';

/** A user and a password before the host make people read the address wrongly, as in `https://bank.example@evil.example`. */
export function hasNoUser(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

/** An address that people are sent to: a host with a domain, without a user and a password. */
export const webAddress = (protocol: RegExp, error: 'link_format' | 'https_link') =>
  z.url({ protocol, hostname: z.regexes.domain, error, abort: true }).refine(hasNoUser, 'link_user');
