import type { VisitorRow } from '@portico/contract/visitors.ts';
import { useTranslation } from 'react-i18next';
import { StatusDot, type Tone } from '#ui/status-dot.tsx';

type State = 'erased' | 'paused' | 'later' | 'over' | 'valid';

function stateOf({ erased_at, blocked, session_start_at, session_end_at }: VisitorRow): readonly [Tone, State] {
  if (erased_at) return ['idle', 'erased'];
  if (blocked) return ['warn', 'paused'];
  if (session_start_at && Date.parse(session_start_at) > Date.now()) return ['idle', 'later'];
  if (session_end_at && Date.parse(session_end_at) <= Date.now()) return ['bad', 'over'];
  return ['good', 'valid'];
}

/** Whether a visitor may sign in now. */
export function VisitorState({ visitor }: { visitor: VisitorRow }) {
  const { t } = useTranslation('visitors');
  const [tone, state] = stateOf(visitor);
  return <StatusDot tone={tone}>{t(`state.${state}`)}</StatusDot>;
}
