/** A page as a browser without script sees it. */
export interface Page {
  readonly url: string;
  readonly status: number;
  readonly html: string;
}

export interface Browser {
  /** Opens an address and follows redirects. Rejects when the server does not answer. */
  readonly open: (url: string) => Promise<Page>;
  readonly submit: (form: Form) => Promise<Page>;
}

export interface Form {
  readonly action: string;
  readonly method: 'GET' | 'POST';
  readonly fields: URLSearchParams;
  readonly names: ReadonlySet<string>;
}

const maxRedirects = 10;

export interface BrowserOptions {
  /** Additional headers for an origin. */
  readonly headersFor: (origin: string) => Record<string, string>;
  /** Whether to follow a redirect to this address. */
  readonly follows: (url: URL) => boolean;
  /** The origin where a host of another name is reached, such as the one that a vendor's gateways answer at. */
  readonly reach?: ((url: URL) => string | undefined | Promise<string | undefined>) | undefined;
  /** False: the browser refuses cookies. */
  readonly takesCookies?: boolean;
}

/** A browser for one guest. */
export const createBrowser = ({ headersFor, follows, reach, takesCookies = true }: BrowserOptions): Browser => {
  const cookies = new Map<string, Map<string, string>>();

  const keep = (origin: string, response: Response): void => {
    const jar = cookies.get(origin) ?? new Map<string, string>();
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      jar.set(pair.slice(0, at).trim(), pair.slice(at + 1).trim());
    }
    cookies.set(origin, jar);
  };

  const go = async (url: string, init: RequestInit = {}, redirects = 0): Promise<Page> => {
    const { origin } = new URL(url);
    const cookie = [...(cookies.get(origin) ?? [])].map(pair => pair.join('=')).join('; ');
    const headers = {
      accept: 'text/html',
      'accept-language': 'tr,en;q=0.8',
      ...headersFor(origin),
      ...(cookie && { cookie }),
    };
    const wanted = new URL(url);
    const at = ((await reach?.(wanted)) ?? origin) + wanted.pathname + wanted.search;
    const response = await fetch(at, { ...init, headers: { ...headers, ...init.headers }, redirect: 'manual' });
    if (takesCookies) keep(origin, response);
    const location = response.headers.get('location');
    const html = await response.text();
    const refresh = response.ok ? refreshTarget(html) : undefined;
    const next = location ?? refresh;
    const target = next && new URL(next, url);
    if (!target || !follows(target) || redirects >= maxRedirects) return { url, status: response.status, html };
    const repeats = response.status === 307 || response.status === 308;
    if (repeats) return go(target.href, init, redirects + 1);
    // A page that refreshes itself is named to the next one, as far as it wants that.
    const isNamed = !location && /<meta name="referrer" content="unsafe-url">/.test(html);
    return go(target.href, isNamed ? { headers: { referer: url } } : {}, redirects + 1);
  };

  const submit = ({ action, method, fields }: Form): Promise<Page> => {
    if (method === 'POST') return go(action, { method, body: fields, headers: { origin: new URL(action).origin } });
    const url = new URL(action);
    url.search = fields.toString();
    return go(url.href);
  };

  return { open: url => go(url), submit };
};

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const decoded = (text: string): string =>
  text.replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name) return entities[name] ?? whole;
    return String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal));
  });

const attributesOf = (tag: string): Map<string, string> => {
  const found = new Map<string, string>();
  for (const [, name = '', double, single, bare] of tag.matchAll(
    /([\w-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/g,
  ))
    found.set(name.toLowerCase(), decoded(double ?? single ?? bare ?? ''));
  return found;
};

const refreshTarget = (html: string): string | undefined => {
  for (const [tag] of html.matchAll(/<meta\s[^>]*>/gi)) {
    const meta = attributesOf(tag.slice(5));
    if (meta.get('http-equiv')?.toLowerCase() !== 'refresh') continue;
    return /url\s*=\s*'?(.+?)'?$/i.exec(meta.get('content') ?? '')?.[1];
  }
  return undefined;
};

/**
 * The forms of a page with the values they would send: hidden and filled fields, boxes ticked, the first button pressed.
 * A button with `formnovalidate` leaves the form for a language or an agreement, so it is not pressed.
 */
export const formsOf = (page: Page): Form[] => {
  const forms: Form[] = [];
  for (const [, head = '', body = ''] of page.html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/gi)) {
    const form = attributesOf(head);
    const fields = new URLSearchParams();
    const names = new Set<string>();
    let isPressed = false;
    for (const [, kind = '', tag = ''] of body.matchAll(/<(input|button)\b([^>]*)>/gi)) {
      const input = attributesOf(tag);
      const name = input.get('name');
      const type = input.get('type')?.toLowerCase() ?? (kind.toLowerCase() === 'button' ? 'submit' : 'text');
      if (
        !name ||
        input.has('formnovalidate') ||
        (type === 'submit' && isPressed) ||
        (type === 'radio' && fields.has(name))
      )
        continue;
      if (type === 'submit') isPressed = true;
      names.add(name);
      fields.append(name, input.get('value') ?? (type === 'checkbox' ? 'on' : ''));
    }
    forms.push({
      action: new URL(form.get('action') || page.url, page.url).href,
      method: form.get('method')?.toUpperCase() === 'POST' ? 'POST' : 'GET',
      fields,
      names,
    });
  }
  return forms;
};

/** The addresses a page links to. */
export const linksOf = (page: Page): string[] =>
  [...page.html.matchAll(/<a\s([^>]*)>/gi)]
    .map(([, tag = '']) => attributesOf(tag).get('href'))
    .filter(href => href !== undefined && URL.canParse(href, page.url))
    .map(href => new URL(href as string, page.url).href);
