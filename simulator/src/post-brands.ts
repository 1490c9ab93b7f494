import { airespace, attribute, cambium, pfsense, vendor, wispr } from '@portico/radius/attributes.ts';
import { type Packet, readInteger, readVendorInteger } from '@portico/radius/packet.ts';
import type { GuestDevice, Limits } from './session.ts';

/*
 * Gateways whose guests post a user name and a password to them. Each follows the vendor's document that its driver names in
 * server/src/routers. No brand was compared with the vendor's own device. In particular these could not be checked: which texts a
 * gateway shows after an Access-Reject, in which order it sends its parameters, and what it does with an address to go on to.
 */

interface Arrival {
  readonly device: GuestDevice;
  readonly host: string;
  /** The address that the guest asked for, or that the refused form named. */
  readonly wanted: string;
  /** A secret of the guest's visit, which the form has to repeat. */
  readonly visit: string;
  readonly refused: boolean;
}

export interface PostBrand {
  /** The host that the gateway tells its guests to return to, in place of the stand-in's own. */
  readonly host: string;
  /** The query with which it sends a guest to the portal, or the page that it shows in place of that. */
  readonly arrival:
    | ((it: Arrival) => Record<string, string>)
    | { readonly shows: (page: string, it: Arrival) => string };
  /** The path that takes the sign-in, and the one that ends the session. */
  readonly signIn: string;
  readonly signOut?: string;
  /** Reads a form; undefined if it lacks what this gateway wants. */
  readonly read: (
    fields: URLSearchParams,
    query: URLSearchParams,
    visit: string,
  ) => { readonly username: string; readonly password: string; readonly next: string } | undefined;
  readonly limits: (packet: Packet) => Limits;
  readonly takesCommands: boolean;
}

const limited = (value: number | undefined): number | undefined => value || undefined;

const standard = (packet: Packet): Limits => ({
  sessionTimeout: limited(readInteger(packet, attribute['Session-Timeout'])),
  idleTimeout: limited(readInteger(packet, attribute['Idle-Timeout'])),
  interimInterval: limited(readInteger(packet, attribute['Acct-Interim-Interval'])),
  uploadBps: limited(readVendorInteger(packet, vendor.wispr, wispr['Bandwidth-Max-Up'])),
  downloadBps: limited(readVendorInteger(packet, vendor.wispr, wispr['Bandwidth-Max-Down'])),
  totalBytes: undefined,
  uploadLimit: undefined,
  downloadLimit: undefined,
});

const noSpeeds = (packet: Packet): Limits => ({ ...standard(packet), uploadBps: undefined, downloadBps: undefined });

const contract = (packet: Packet, type: number): number | undefined =>
  limited((readVendorInteger(packet, vendor.airespace, type) ?? 0) * 1000);

const lower = ({ mac }: GuestDevice): string => mac.toLowerCase();

/** pfSense writes its own address as it is. */
const inHtml = (text: string, asItIs: boolean): string =>
  asItIs
    ? text
    : text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The fields under these names; undefined if one of the first two is missing. */
const named = (fields: URLSearchParams, user: string, password: string, next?: string) => {
  const [username, secret] = [fields.get(user), fields.get(password)];
  return username && secret ? { username, password: secret, next: (next && fields.get(next)) || '' } : undefined;
};

export const postBrands = {
  aruba: {
    host: 'securelogin.arubanetworks.com',
    arrival: ({ device, host, wanted, refused }) => ({
      ...{
        cmd: 'login',
        mac: lower(device),
        essid: 'guest',
        ip: device.ip,
        apname: 'ap-1',
        apmac: '9c:1c:12:cb:a2:90',
      },
      ...{
        vcname: 'instant-C8:1D:DA',
        switchip: host,
        url: wanted,
        ...(refused && { errmsg: 'Authentication failed' }),
      },
    }),
    signIn: '/cgi-bin/login',
    signOut: '/cgi-bin/login?cmd=logout',
    read: fields => (fields.get('cmd') === 'authenticate' ? named(fields, 'user', 'password', 'url') : undefined),
    limits: noSpeeds,
    takesCommands: true,
  },
  cisco: {
    host: '192.0.2.1',
    arrival: ({ device, host, wanted, refused }) => ({
      ...{ switch_url: `https://${host}/login.html`, ap_mac: 'b8:be:bf:14:41:90', client_mac: lower(device) },
      ...{ wlan: 'guest', redirect: wanted.replace(/^https?:\/\//, ''), ...(refused && { statusCode: '5' }) },
    }),
    signIn: '/login.html',
    signOut: '/logout.html',
    read: fields =>
      fields.get('buttonClicked') === '4' ? named(fields, 'username', 'password', 'redirect_url') : undefined,
    limits: packet => ({
      ...standard(packet),
      uploadBps: contract(packet, airespace['Data-Bandwidth-Average-Contract-Upstream']),
      downloadBps: contract(packet, airespace['Data-Bandwidth-Average-Contract']),
    }),
    takesCommands: true,
  },
  fortigate: {
    host: '10.0.1.3',
    arrival: ({ device, host, visit }) => ({
      ...{ login: '', post: `https://${host}:1003/fgtauth`, magic: visit, usermac: lower(device), userip: device.ip },
      ...{
        apmac: '00:11:22:33:44:55',
        apip: '192.168.1.99',
        ssid: 'guest',
        apname: 'ap_1',
        bssid: '66:77:88:99:aa:bb',
      },
    }),
    signIn: '/fgtauth',
    signOut: '/logout',
    read: (fields, _query, visit) =>
      fields.get('magic') === visit ? named(fields, 'username', 'password', '4Tredir') : undefined,
    limits: noSpeeds,
    takesCommands: true,
  },
  ruckus: {
    host: '10.9.0.2',
    arrival: ({ device, host, wanted, refused }) => ({
      ...{
        sip: host,
        mac: '001122334455',
        client_mac: lower(device),
        uip: device.ip,
        dn: '',
        url: wanted,
        ssid: 'guest',
      },
      ...{
        StartURL: '',
        proxy: '0',
        wlan: '4',
        zoneName: 'lobby',
        reason: refused ? 'Logon-Failed' : 'Un-Auth-Captive',
      },
    }),
    signIn: '/SubscriberPortal/hotspotlogin',
    signOut: '/SubscriberPortal/hotspotlogout',
    read: fields => (fields.get('uip') ? named(fields, 'username', 'password', 'url') : undefined),
    limits: standard,
    takesCommands: true,
  },
  cambium: {
    host: '10.8.0.5',
    arrival: ({ device, host, wanted, visit }) => ({
      ...{ ga_ssid: 'guest', ga_ap_mac: '00-04-56-A1-B2-C3', ga_nas_id: 'cambium', ga_srvr: host },
      ...{ ga_cmac: device.mac.replaceAll(':', '-'), ga_cip: device.ip, ga_Qv: visit, ga_orig_url: wanted },
    }),
    signIn: '/cgi-bin/hotspot_login.cgi',
    read: (fields, query, visit) => (query.get('ga_Qv') === visit ? named(fields, 'ga_user', 'ga_pass') : undefined),
    limits: packet => ({
      ...standard(packet),
      totalBytes: limited(readVendorInteger(packet, vendor.cambium, cambium['Traffic-Quota-Limit-Total'])),
    }),
    takesCommands: true,
  },
  meraki: {
    host: 'n143.network-auth.com',
    arrival: ({ device, host, wanted, visit, refused }) => ({
      login_url: `https://${host}/splash/login?${new URLSearchParams({ mauth: visit, continue_url: wanted })}`,
      ...{ continue_url: wanted, ap_mac: '88:15:44:60:1c:1a', ap_name: 'mr53', ap_tags: 'lobby', client_ip: device.ip },
      ...{ client_mac: lower(device), ...(refused && { error_message: 'Access denied.' }) },
    }),
    signIn: '/splash/login',
    read: (fields, query, visit) =>
      query.get('mauth') === visit ? named(fields, 'username', 'password', 'success_url') : undefined,
    limits: noSpeeds,
    takesCommands: true,
  },
  // It fills in the words of the uploaded page, as `portal_reply_page` in src/etc/inc/captiveportal.inc does (2026).
  pfsense: {
    host: '192.168.1.1',
    arrival: {
      shows: (page, { device, host, wanted, refused }) => {
        const words = {
          PORTAL_ACTION: `https://${host}:8003/index.php?zone=guest`,
          ...{ PORTAL_ZONE: 'guest', PORTAL_REDIRURL: wanted, CLIENT_MAC: lower(device), CLIENT_IP: device.ip },
          PORTAL_MESSAGE: refused ? 'Invalid credentials specified.' : '',
        };
        return page.replaceAll(/\$([A-Z_]+)\$/g, (whole, word) =>
          word in words ? inHtml(words[word as keyof typeof words], word === 'PORTAL_ACTION') : whole,
        );
      },
    },
    signIn: '/index.php',
    read: (fields, query) =>
      fields.get('accept') && query.get('zone') === 'guest'
        ? named(fields, 'auth_user', 'auth_pass', 'redirurl')
        : undefined,
    limits: packet => ({
      ...standard(packet),
      totalBytes: limited(readVendorInteger(packet, vendor.pfsense, pfsense['Max-Total-Octets'])),
    }),
    takesCommands: false,
  },
} as const satisfies Record<string, PostBrand>;

export type PostBrandName = keyof typeof postBrands;
