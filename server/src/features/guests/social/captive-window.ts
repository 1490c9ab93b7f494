import type { OutsideView } from '@portico/contract/guests.ts';

/**
 * The window that a phone or laptop opens by itself when it joins a network. It is an embedded browser, in which Google and
 * others refuse every sign-in. The browsers within apps are refused as well, and look the same.
 */
export function captiveWindowOf(userAgent: string): OutsideView['system'] | null {
  if (/Android/.test(userAgent)) return /; wv\)/.test(userAgent) ? 'android' : null;
  // Every browser of Apple's systems names Safari; the window does not.
  const isApple = /\((iPhone|iPad|iPod|Macintosh)/.test(userAgent) && /AppleWebKit\//.test(userAgent);
  return isApple && !/Safari\//.test(userAgent) ? 'apple' : null;
}

/**
 * How a guest gets to the same page with its own browser. Apple's window leads nowhere else, so its guests copy the short
 * address. For a link with an unknown scheme, Android's window shows a page of its own. The link on that page makes the Wi-Fi
 * the phone's network and opens the portal in the browser. Other embedded browsers open the link themselves.
 */
export function outsideView(system: OutsideView['system'], address: string): OutsideView {
  const { protocol, host, pathname } = new URL(address);
  const intent = `intent://${host}${pathname}#Intent;scheme=${protocol.slice(0, -1)};action=android.intent.action.VIEW;end`;
  return { system, address, link: system === 'android' ? intent : null };
}
