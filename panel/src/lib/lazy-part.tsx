import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { inTime } from '#lib/in-time.ts';
import classes from '#lib/lazy-part.module.css';

/**
 * A part of a screen (mostly a dialog with its form) whose code is fetched when it is first shown. What is slow to come is seen to
 * come: a `dialog` by a line along the top of the window, a part that stands `in-place` by its rough shape.
 */
export function lazyPart<Props extends object, K extends string>(
  load: () => Promise<Record<K, ComponentType<Props>>>,
  name: K,
  stands: 'dialog' | 'in-place' = 'dialog',
) {
  const Part = lazy(async () => ({ default: (await inTime(load()))[name] as ComponentType<object> }));
  return function LazyPart(props: Props): ReactNode {
    return (
      <Suspense fallback={<Coming inPlace={stands === 'in-place'} />}>
        <Part {...props} />
      </Suspense>
    );
  };
}

function Coming({ inPlace }: { inPlace: boolean }) {
  const { t } = useTranslation();
  return (
    <div className={inPlace ? classes.block : classes.bar} role="status" aria-label={t('loading')}>
      {inPlace && (
        <>
          <span />
          <span />
          <span />
        </>
      )}
    </div>
  );
}
