import { Button, TextInput } from '@mantine/core';
import { visibleText } from '@portico/contract/visible-text.ts';
import { IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/logs/tail/live-tail.module.css';
import { type TailLine, useTail } from '#features/logs/tail/use-tail.ts';
import { formatClock, formatNumber } from '#lib/format.ts';
import { useListSearch } from '#lib/search.ts';
import { StatusDot } from '#ui/status-dot.tsx';

const typingMs = 400;

/** A live view of log lines that can be paused and filtered. Uses the type filter of the list. */
export function LiveTail({ deviceId, onClose }: { deviceId: string; onClose: () => void }) {
  const { t } = useTranslation(['logs', 'common']);
  const [{ types = '' }] = useListSearch();
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState('');
  const [held, setHeld] = useState<readonly TailLine[]>();
  const tail = useTail(deviceId, { types, search });
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), typingMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const last = held?.at(-1)?.number ?? -1;
  const waiting = held ? tail.lines.filter(line => line.number > last).length : 0;
  const lines = held ?? tail.lines;
  return (
    <section className={classes.tail} aria-label={t('tail.title')}>
      <header>
        <h2>{t('tail.title')}</h2>
        <State state={tail.state} held={held !== undefined} waiting={waiting} />
        <div>
          <TextInput
            size="xs"
            aria-label={t('tail.filter')}
            placeholder={t('tail.filter')}
            value={typed}
            onChange={event => setTyped(event.currentTarget.value)}
            maxLength={255}
            autoComplete="off"
            spellCheck={false}
          />
          <Button
            size="xs"
            variant="default"
            leftSection={held ? <IconPlayerPlay size={14} /> : <IconPlayerPause size={14} />}
            onClick={() => setHeld(held ? undefined : tail.lines)}
          >
            {t(held ? 'tail.resume' : 'tail.pause')}
          </Button>
          <Button size="xs" variant="default" leftSection={<IconX size={14} />} onClick={onClose}>
            {t('common:close')}
          </Button>
        </div>
      </header>
      {tail.state === 'refused' ? (
        <p className={classes.nothing} role="alert">
          {tail.reason}
        </p>
      ) : lines.length === 0 ? (
        <p className={classes.nothing}>{t(search || types ? 'tail.noMatch' : 'tail.none')}</p>
      ) : (
        <Lines lines={lines} follow={!held} />
      )}
    </section>
  );
}

function State({ state, held, waiting }: { state: string; held: boolean; waiting: number }) {
  const { t } = useTranslation('logs');
  if (state === 'refused') return null;
  if (held)
    return <StatusDot tone="warn">{t('tail.held', { count: waiting, shown: formatNumber(waiting) })}</StatusDot>;
  return state === 'open' ? (
    <StatusDot tone="good">{t('tail.live')}</StatusDot>
  ) : (
    <StatusDot tone="busy">{t('tail.connecting')}</StatusDot>
  );
}

/** Scrolls to new lines unless the user has scrolled up. */
function Lines({ lines, follow }: { lines: readonly TailLine[]; follow: boolean }) {
  const { t } = useTranslation('logs');
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const newest = lines.at(-1)?.number;
  useLayoutEffect(() => {
    const node = box.current;
    if (node && follow && atEnd.current) node.scrollTop = node.scrollHeight;
  }, [newest, follow]);
  return (
    <div
      ref={box}
      className={classes.lines}
      role="log"
      aria-live="off"
      aria-label={t('tail.lines')}
      // Focusable, so that it can be scrolled by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onScroll={({ currentTarget: it }) => {
        atEnd.current = it.scrollHeight - it.scrollTop - it.clientHeight < 24;
      }}
    >
      {lines.map(line => (
        <div key={line.number}>
          {line.after && <em>{t('tail.skipped')}</em>}
          <time dateTime={line.at} title={line.source}>
            {formatClock(line.at)}
          </time>
          <b>{t(`types.${line.type}`)}</b>
          <span>{visibleText(line.text)}</span>
        </div>
      ))}
    </div>
  );
}
