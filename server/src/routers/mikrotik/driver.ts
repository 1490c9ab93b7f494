import type { HotspotDriver } from '../driver.ts';
import { problemOfText } from '../refusal-texts.ts';
import { hotspotHost, loginUrl } from '../return-address.ts';
import { asRouterError } from '../router-control.ts';
import { openApi } from './api.ts';
import { hotspotPages, mikrotikPage, pagesScript, pageVersion } from './hotspot-pages.ts';
import { importLine } from './import-line.ts';
import { mikrotikLogs } from './log-lines.ts';
import { arriveScript, movedScript } from './move-script.ts';
import { pollLine, pollScript } from './poll-script.ts';
import { openRest } from './rest.ts';
import { mikrotikScript } from './script.ts';
import { undoScript } from './undo-script.ts';

/** RouterOS hotspot: its login.html sends the guest, and the guest opens the login address with the ticket. */
export const mikrotik: HotspotDriver = {
  slug: 'mikrotik',
  tellsMac: true,
  speaksRadius: true,
  sharesSecret: false,
  tellsRefusal: true,
  signInPage: ({ hotspot_address }) => {
    const host = hotspotHost(hotspot_address);
    return host ? `http://${host}/login` : null;
  },
  problemOf: problemOfText,
  handOver: async ({ login, ticket, onlineUrl }) => ({ redirect: loginUrl(login, ticket, onlineUrl()) }),
  // RouterOS serves the log-out page beside the login page.
  signOutUrl: login => {
    if (!login.pathname.endsWith('/login')) return null;
    // Not relative to the origin: a path that begins with two slashes would name another host.
    const url = new URL(login.origin);
    url.pathname = login.pathname.replace(/login$/, 'logout');
    return url.href;
  },
  // RouterOS does so from 7.15 on.
  sendsMessageAuthenticator: version => {
    const [, major, minor] = /^(\d+)\.(\d+)/.exec(version) ?? [];
    return Number(major) > 7 || (Number(major) === 7 && Number(minor) >= 15);
  },
  setup: {
    pageVersion,
    loginPage: at => mikrotikPage('login', at),
    page: (name, at) => {
      const page = hotspotPages.find(it => it === name);
      return page && mikrotikPage(page, at);
    },
    script: { make: mikrotikScript, importLine, undo: undoScript },
  },
  control: {
    open: target =>
      (target.protocol === 'rest' ? openRest(target) : openApi(target)).catch((error: unknown) => {
        throw asRouterError(error);
      }),
    takes: ['bindings', 'hotspot', 'logout'],
    polling: { script: pollScript, pages: pagesScript, line: pollLine, moved: movedScript, arrive: arriveScript },
  },
  logs: mikrotikLogs,
};
