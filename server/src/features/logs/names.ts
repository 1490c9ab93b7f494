import { getDomain } from 'tldts';
import type { LogFacts } from '#routers/log-line.ts';

/** The site of a host name by the public suffix list: `cdn.example.com.tr` belongs to `example.com.tr`. */
export const siteOf = (domain: string): string =>
  getDomain(domain, { extractHostname: false, validateHostname: false }) ?? domain;

/** Applications by the sites that they use, for routers that do not recognise applications. */
const bySite = new Map(
  Object.entries({
    YouTube: 'youtube.com googlevideo.com ytimg.com youtu.be youtube-nocookie.com',
    Google: 'google.com googleapis.com gstatic.com googleusercontent.com google.com.tr gvt1.com gvt2.com ggpht.com',
    WhatsApp: 'whatsapp.com whatsapp.net',
    Instagram: 'instagram.com cdninstagram.com',
    Facebook: 'facebook.com fbcdn.net facebook.net fb.com messenger.com',
    Netflix: 'netflix.com nflxvideo.net nflximg.net nflxso.net nflxext.com',
    TikTok: 'tiktok.com tiktokcdn.com tiktokv.com musical.ly byteoversea.com ibytedtos.com tiktokcdn-eu.com',
    'X (Twitter)': 'twitter.com x.com twimg.com t.co',
    Telegram: 'telegram.org t.me telegram.me',
    Spotify: 'spotify.com scdn.co spotifycdn.com',
    Apple: 'apple.com icloud.com mzstatic.com aaplimg.com cdn-apple.com icloud-content.com',
    Microsoft:
      'microsoft.com windowsupdate.com live.com office.com msftconnecttest.com azureedge.net office365.com outlook.com bing.com',
    Teams: 'teams.microsoft.com skype.com',
    Zoom: 'zoom.us zoom.com',
    Amazon: 'amazon.com amazon.com.tr media-amazon.com',
    'Prime Video': 'primevideo.com aiv-cdn.net',
    'Disney+': 'disneyplus.com disney-plus.net dssott.com bamgrid.com',
    Snapchat: 'snapchat.com sc-cdn.net snap.com',
    LinkedIn: 'linkedin.com licdn.com',
    Twitch: 'twitch.tv ttvnw.net jtvnw.net',
    Steam: 'steampowered.com steamcontent.com steamstatic.com steamcommunity.com',
    Discord: 'discord.com discord.gg discordapp.com discordapp.net',
    Dropbox: 'dropbox.com dropboxusercontent.com',
    Pinterest: 'pinterest.com pinimg.com',
    Wikipedia: 'wikipedia.org wikimedia.org',
    Trendyol: 'trendyol.com dsmcdn.com',
    Hepsiburada: 'hepsiburada.com hepsiburada.net',
    Sahibinden: 'sahibinden.com shbdn.com',
    Yemeksepeti: 'yemeksepeti.com',
    Exxen: 'exxen.com',
    BluTV: 'blutv.com',
    Gain: 'gain.tv',
    Booking: 'booking.com bstatic.com',
    ChatGPT: 'openai.com chatgpt.com oaistatic.com',
  }).flatMap(([name, sites]) => sites.split(' ').map(site => [site, name] as const)),
);

/** Applications by port, if nothing better is known. */
const byPort = new Map<number, string>(
  Object.entries({
    20: 'FTP',
    21: 'FTP',
    22: 'SSH',
    23: 'Telnet',
    25: 'SMTP',
    53: 'DNS',
    80: 'HTTP',
    110: 'POP3',
    123: 'NTP',
    143: 'IMAP',
    443: 'HTTPS',
    465: 'SMTP',
    500: 'IPsec',
    554: 'RTSP',
    587: 'SMTP',
    853: 'DNS',
    993: 'IMAP',
    995: 'POP3',
    1194: 'OpenVPN',
    1701: 'L2TP',
    1723: 'PPTP',
    1883: 'MQTT',
    1935: 'RTMP',
    3389: 'RDP',
    3478: 'STUN',
    4500: 'IPsec',
    5060: 'SIP',
    5061: 'SIP',
    5222: 'XMPP',
    5223: 'Apple Push',
    5228: 'Google Push',
    6881: 'BitTorrent',
    8080: 'HTTP',
    8443: 'HTTPS',
    51820: 'WireGuard',
  }).map(([port, name]) => [Number(port), name]),
);

/** The application of a line: reported by the router, else by its site, else by its port. */
export function applicationOf(facts: LogFacts, site: string | undefined): string | undefined {
  if (facts.application) return facts.application;
  const known = site === undefined ? undefined : bySite.get(site);
  if (known) return known;
  // The firewall logs the connection of a proxy line too.
  if (facts.type === 'proxy') return undefined;
  if (facts.port === 443 && facts.protocol === 'udp') return 'QUIC';
  return facts.port === undefined ? undefined : byPort.get(facts.port);
}
