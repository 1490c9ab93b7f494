import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readState, type ServerState } from '#app/server-state.ts';
import { ErrorState } from '#ui/error-state.tsx';

const tryAgainMs = 5000;

/**
 * Shown if neither the server nor the panel's own files could be loaded. Says why the server is not ready, and loads the page
 * again once it is.
 */
export function Fatal() {
  const { t } = useTranslation();
  const [state, setState] = useState<ServerState>();
  useEffect(() => {
    let wasAway = false;
    const ask = () =>
      readState().then(
        found => {
          if (found === 'ok' && wasAway) return location.reload();
          wasAway ||= found !== 'ok';
          setState(found === 'ok' ? undefined : found);
        },
        // Nothing answers: neither what was known before, nor anything new.
        () => {
          wasAway = true;
          setState(undefined);
        },
      );
    void ask();
    const timer = setInterval(() => void ask(), tryAgainMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <main>
      <ErrorState
        screen
        title={t(state ? 'fatal.notReady' : 'fatal.title')}
        text={state ? t(`fatal.state.${state}`) : t('fatal.text')}
        onRetry={() => location.reload()}
      />
    </main>
  );
}
