import type { GuestArrival } from '@portico/contract/guest-forms.ts';
import type { ArrivalRequest, HotspotDriver } from '../driver.ts';
import { problemOfText } from '../refusal-texts.ts';
import { hotspotHost, loginUrl, returnAddress } from '../return-address.ts';
import { sophosLogs } from './log-lines.ts';
import { pageVersion, sophosLoginTemplate } from './login-template.ts';

const signInPath = '/login.xml';
const signOutPath = '/logout.xml';

const signInPage: HotspotDriver['signInPage'] = ({ hotspot_address }) => {
  const host = hotspotHost(hotspot_address);
  return host ? `https://${host}:8090/` : null;
};

/**
 * Without script, the firewall's page cannot put anything into the link (`step=plain`). The return address then comes from
 * the Referer, or from the device's own address.
 */
function readArrival({ arrival, referrer, device }: ArrivalRequest): GuestArrival {
  if (arrival.step !== 'plain' || arrival.login) return arrival;
  const own = signInPage(device);
  const page = returnAddress(referrer, device) ?? (own && new URL(own));
  if (!page) return arrival;
  const orig = page.searchParams.get('url') ?? '';
  return { ...arrival, step: '', login: page.origin + signInPath, orig: arrival.orig || orig.slice(0, 4000) };
}

/** The fields that the firewall's own page sends besides the mode and the user. */
const commonFields = () => ({ a: String(Date.now()), producttype: '0' });

/**
 * Sophos Firewall (SFOS) captive portal. Our page template signs guests in by script. A guest without script posts a form
 * to /login.xml, which answers with XML.
 */
export const sophos: HotspotDriver = {
  slug: 'sophos',
  tellsMac: false,
  speaksRadius: true,
  sharesSecret: false,
  // The firewall shows the same text for every Access-Reject.
  tellsRefusal: false,
  readArrival,
  signInPage,
  problemOf: problemOfText,
  handOver: async ({ login, ticket, onlineUrl }) => ({ redirect: loginUrl(login, ticket, onlineUrl()) }),
  signOutUrl: (login, userName) => {
    const url = new URL(login);
    url.searchParams.set('logout', userName);
    return url.href;
  },
  form: {
    appliesTo: login => login.pathname === signInPath,
    signIn: (login, ticket) => ({
      action: login.href,
      fields: { mode: '191', username: ticket, password: ticket, ...commonFields() },
    }),
    signOut: (login, userName) => ({
      action: new URL(signOutPath, login).href,
      fields: { mode: '193', username: userName, ...commonFields() },
    }),
  },
  setup: { pageVersion, portalTemplate: sophosLoginTemplate },
  logs: sophosLogs,
};
