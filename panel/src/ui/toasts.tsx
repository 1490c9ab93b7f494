import { IconAlertCircle, IconCircleCheck, IconX } from '@tabler/icons-react';
import { type FocusEvent, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { isApple } from '#lib/is-apple.ts';
import { closeToast, holdToast, releaseToast, useToast } from '#lib/toast.ts';
import classes from '#ui/toasts.module.css';

const editable = 'input, textarea, select, [contenteditable=true]';

const openDialog = () => [...document.querySelectorAll('[aria-modal=true]')].at(-1);

/** Shows one message at a time. The region is always present, so that screen readers announce changes. */
export function Toasts() {
  const { t } = useTranslation();
  const toast = useToast();
  const before = useRef<Element | null>(null);
  const Icon = toast?.kind === 'error' ? IconAlertCircle : IconCircleCheck;
  const undo = toast?.undo;
  const close = () => {
    closeToast();
    // The button goes, and would take the focus with it.
    if (before.current instanceof HTMLElement) before.current.focus();
  };
  const enter = ({ currentTarget, relatedTarget }: FocusEvent) => {
    holdToast();
    if (!currentTarget.contains(relatedTarget)) before.current = relatedTarget;
  };
  const exit = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (currentTarget.contains(relatedTarget)) return;
    before.current = null;
    releaseToast();
  };
  useEffect(() => {
    if (!undo) return;
    const doneIn = openDialog();
    const onKey = (event: KeyboardEvent) => {
      const isUndo =
        event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      // In a field it takes back what was typed, in the editor of a portal what was changed there.
      if (!isUndo || event.defaultPrevented || (event.target instanceof Element && event.target.closest(editable)))
        return;
      // A dialog that was opened since hides what would be taken back.
      const dialog = openDialog();
      if (dialog && dialog !== doneIn) return;
      event.preventDefault();
      closeToast();
      undo();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [undo]);
  return (
    <div className={classes.region} role="status" aria-live={toast?.kind === 'error' ? 'assertive' : 'polite'}>
      {toast && (
        // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps the message while someone points at it
        <div
          key={toast.id}
          className={classes.toast}
          data-kind={toast.kind}
          onFocus={enter}
          onBlur={exit}
          onPointerEnter={event => event.pointerType === 'mouse' && holdToast()}
          onPointerLeave={({ currentTarget }) => !currentTarget.contains(document.activeElement) && releaseToast()}
        >
          <Icon size={20} stroke={1.8} aria-hidden className={classes.icon} />
          <div>
            {toast.details.length < 2 ? (
              (toast.details[0] ?? toast.text)
            ) : (
              <ul>
                {toast.details.map(detail => (
                  <li key={detail}>{detail}</li>
                ))}
              </ul>
            )}
          </div>
          {undo && (
            <button
              type="button"
              className={classes.undo}
              aria-keyshortcuts="Control+Z Meta+Z"
              title={isApple ? '⌘Z' : 'Ctrl Z'}
              onClick={() => {
                close();
                undo();
              }}
            >
              {t('undo')}
            </button>
          )}
          <button type="button" className={classes.close} onClick={close} aria-label={t('close')}>
            <IconX size={16} aria-hidden />
          </button>
        </div>
      )}
    </div>
  );
}
