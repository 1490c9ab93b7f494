import type { PortalLanguage } from '@portico/contract/errors.ts';
import type { PreviewMessage, PreviewReady } from '@portico/contract/preview.ts';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { Draft } from '#features/portals/editor/editor-context.ts';
import { tenant } from '#lib/tenant.ts';

/** Milliseconds after which a frame that has not answered counts as unreachable. */
const patience = 12_000;

export interface PreviewFrame {
  /** Goes on the iframe. */
  ref: RefObject<HTMLIFrameElement | null>;
  src: string | undefined;
  state: 'loading' | 'ready' | 'away';
  show: (draft: Draft) => void;
  /** Loads the frame anew. */
  retry: () => void;
  /** Changes with every retry. */
  turn: number;
}

interface Previewed {
  portalId: string;
  /** Where the frame is found, once that is known. */
  src: string | undefined;
  language: PortalLanguage;
  drawn: boolean;
}

/** The panel's side of the preview: hears and speaks to the guests' origin only, and repeats everything to a new frame. */
export function usePreviewFrame({ portalId, src, language, drawn }: Previewed): PreviewFrame {
  const ref = useRef<HTMLIFrameElement>(null);
  const ready = useRef(false);
  const latest = useRef(new Map<PreviewMessage['type'], PreviewMessage>());
  const [state, setState] = useState<PreviewFrame['state']>('loading');
  const [turn, setTurn] = useState(0);
  const { origin } = new URL(tenant().captive_url, location.href);

  const send = useCallback(
    (message: PreviewMessage) => {
      latest.current.set(message.type, message);
      if (ready.current) ref.current?.contentWindow?.postMessage(message, origin);
    },
    [origin],
  );

  useEffect(() => {
    const hear = (event: MessageEvent) => {
      if (event.origin !== origin || event.source !== ref.current?.contentWindow) return;
      const { type, portal_id } = (event.data ?? {}) as Partial<PreviewReady>;
      if (type !== 'portico:preview-ready' || portal_id !== portalId) return;
      ready.current = true;
      setState('ready');
      for (const message of latest.current.values()) ref.current?.contentWindow?.postMessage(message, origin);
    };
    addEventListener('message', hear);
    return () => removeEventListener('message', hear);
  }, [origin, portalId]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: every turn waits anew.
  useEffect(() => {
    if (!drawn) return;
    const timer = setTimeout(() => setState(now => (now === 'loading' ? 'away' : now)), patience);
    return () => {
      clearTimeout(timer);
      ready.current = false;
      setState('loading');
    };
  }, [turn, drawn]);

  useEffect(() => send({ type: 'portico:language-changed', language }), [send, language]);

  const retry = useCallback(() => setTurn(now => now + 1), []);
  return { ref, src, state, show: send, retry, turn };
}
