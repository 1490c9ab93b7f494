import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import type { PreviewMessage, PreviewReady } from '@portico/contract/preview.ts';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { PreviewUpdate } from '#features/portals/editor/editor-context.ts';
import { tenant } from '#lib/tenant.ts';

/** A frame that has not answered after this time (ms) counts as unreachable. */
const loadTimeoutMs = 12_000;

export type PreviewViewName = Extract<PreviewMessage, { type: 'portico:view-changed' }>['view'];

export interface PreviewFrame {
  ref: RefObject<HTMLIFrameElement | null>;
  src: string | undefined;
  /** Where the guests' pages are. */
  host: string;
  state: 'loading' | 'ready' | 'away';
  show: (values: PreviewUpdate) => void;
  /** Shows another page, or the same as on a dark phone. */
  setView: (view: PreviewViewName) => void;
  retry: () => void;
  /** Guests of the portal can buy access. */
  sells: boolean;
  /** Counts the retries; used as the key of the iframe. */
  attempt: number;
}

interface Options {
  portalId: string;
  /** Undefined until the address is known. */
  src: string | undefined;
  language: PortalLanguage;
  visible: boolean;
}

/** Talks to the preview frame, on the guests' origin only. A reloaded frame gets the latest messages again. */
export function usePreviewFrame({ portalId, src, language, visible }: Options): PreviewFrame {
  const ref = useRef<HTMLIFrameElement>(null);
  const ready = useRef(false);
  const latest = useRef(new Map<PreviewMessage['type'], PreviewMessage>());
  const [state, setState] = useState<PreviewFrame['state']>('loading');
  const [attempt, setAttempt] = useState(0);
  const [sells, setSells] = useState(false);
  const { origin, host } = new URL(tenant().captive_url, location.href);

  const send = useCallback(
    (message: PreviewMessage) => {
      latest.current.set(message.type, message);
      if (ready.current) ref.current?.contentWindow?.postMessage(message, origin);
    },
    [origin],
  );

  useEffect(() => {
    const receive = (event: MessageEvent) => {
      if (event.origin !== origin || event.source !== ref.current?.contentWindow) return;
      const { type, portal_id, sells = false } = (event.data ?? {}) as Partial<PreviewReady>;
      if (type !== 'portico:preview-ready' || portal_id !== portalId) return;
      ready.current = true;
      setState('ready');
      setSells(sells);
      for (const message of latest.current.values()) ref.current?.contentWindow?.postMessage(message, origin);
    };
    addEventListener('message', receive);
    return () => removeEventListener('message', receive);
  }, [origin, portalId]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt starts a new timeout.
  useEffect(() => {
    if (!visible) return;
    const timer = setTimeout(() => setState(now => (now === 'loading' ? 'away' : now)), loadTimeoutMs);
    return () => {
      clearTimeout(timer);
      ready.current = false;
      setState('loading');
    };
  }, [attempt, visible]);

  useEffect(() => send({ type: 'portico:language-changed', language }), [send, language]);

  const retry = useCallback(() => setAttempt(now => now + 1), []);
  const setView = useCallback((view: PreviewViewName) => send({ type: 'portico:view-changed', view }), [send]);
  return { ref, src, host, state, show: send, setView, retry, sells, attempt };
}
