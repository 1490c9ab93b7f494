import type { VisitorStatus } from '@portico/contract/visitor-kinds.ts';
import type { VisitorRow } from '@portico/contract/visitors.ts';
import { useTranslation } from 'react-i18next';
import { closedBy } from '#lib/closed-by.ts';
import { useClock } from '#ui/relative-time.tsx';
import { StatusDot, type Tone } from '#ui/status-dot.tsx';

type State = Exclude<VisitorStatus, 'closed'> | ReturnType<typeof closedBy>;

function stateOf(visitor: VisitorRow, now: number): readonly [Tone, State] {
  const { erased_at, blocked, session_start_at, session_end_at, service } = visitor;
  if (erased_at) return ['idle', 'erased'];
  if (blocked) return ['warn', 'paused'];
  if (session_start_at && Date.parse(session_start_at) > now) return ['idle', 'later'];
  if (session_end_at && Date.parse(session_end_at) <= now) return ['bad', 'over'];
  if (service !== 'running') return ['bad', closedBy(service)];
  return ['good', 'valid'];
}

/** Whether a visitor may sign in now. */
export function VisitorState({ visitor }: { visitor: VisitorRow }) {
  const { t } = useTranslation('visitors');
  const [tone, state] = stateOf(visitor, Math.max(useClock(), Date.now()));
  return <StatusDot tone={tone}>{t(`state.${state}`)}</StatusDot>;
}
