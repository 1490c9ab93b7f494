import { callerNetwork } from '#lib/caller-network.ts';
import type { RadiusHandlers, RadiusProxy, UnknownDevice } from './types.ts';

/** A packet of a device that is unknown. */
export interface StrangePacket {
  readonly sourceIp: string;
  /** Undefined: it names nothing. */
  readonly nasIdentifier: string | undefined;
  /** The proxy that proved to have forwarded it. */
  readonly proxy: RadiusProxy | undefined;
  readonly at: Date;
}

export interface UnknownDevices {
  readonly heard: (packet: StrangePacket) => void;
  /** Reports what is left. */
  readonly close: () => Promise<void>;
}

const longestName = 64;

/**
 * Makes an unproven name safe to show. It is shortened, and loses characters that change the text around it or look like the
 * address of a site. These are control characters, directions of writing, quotation marks and slashes.
 */
const shown = (name: string): string =>
  name
    .slice(0, longestName)
    .replace(/[^\p{L}\p{N} ._:@-]/gu, '?')
    .trim();

/**
 * Counts the packets of unknown devices and reports them every `everyMs`. Any host can send such packets, with any source and
 * any name. So the names are limited: `perSource` of an address (or IPv6 /64), `perProxy` of a proxy and `maxStrangers` in
 * total. The rest only counts as dropped.
 */
export const createUnknownDevices = (
  handlers: Pick<RadiusHandlers, 'unknownDevices' | 'failed'>,
  { everyMs = 5000, perSource = 5, maxStrangers = 200, perProxy = 50 } = {},
): UnknownDevices => {
  let held = new Map<string, UnknownDevice>();
  let names = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let strangers = 0;

  const report = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const batch = [...held.values()];
    [held, names, strangers] = [new Map(), new Map(), 0];
    if (batch.length === 0) return;
    try {
      await handlers.unknownDevices?.(batch);
    } catch (error) {
      handlers.failed('unknownDevices', error);
    }
  };

  const heard = ({ sourceIp, nasIdentifier, proxy, at }: StrangePacket): void => {
    const name = shown(nasIdentifier ?? '');
    const source = proxy?.id ?? callerNetwork(sourceIp);
    const key = `${proxy?.id ?? ''}|${sourceIp}|${name}`;
    const before = held.get(key);
    if (!before) {
      const count = names.get(source) ?? 0;
      if (count >= (proxy ? perProxy : perSource) || (!proxy && strangers >= maxStrangers)) return;
      names.set(source, count + 1);
      if (!proxy) strangers += 1;
    }
    held.set(key, {
      ...{ sourceIp, nasIdentifier: name, lastAt: at },
      proxy: proxy && { id: proxy.id, tenantId: proxy.tenantId },
      packets: (before?.packets ?? 0) + 1,
      firstAt: before?.firstAt ?? at,
    });
    if (timer) return;
    timer = setTimeout(() => void report(), everyMs);
    timer.unref();
  };

  return { heard, close: report };
};
