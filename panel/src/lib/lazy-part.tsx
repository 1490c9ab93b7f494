import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { loadPart } from '#lib/connection.ts';
import classes from '#lib/lazy-part.module.css';

/**
 * A part of a screen (usually a dialog with its form) whose code is loaded when it is first shown. Meanwhile a `dialog` shows a
 * line at the top of the window, and a part `in-place` shows a skeleton. With `around` the lazy part around it waits for it too.
 */
export function lazyPart<K extends string, Module extends Record<K, (props: never) => ReactNode>>(
  load: () => Promise<Module>,
  name: K,
  stands: 'dialog' | 'in-place' | 'around' = 'dialog',
) {
  const Part = lazy(async () => {
    const module: Record<K, unknown> = await loadPart(load);
    return { default: module[name] as ComponentType<object> };
  });
  return function LazyPart(props: Parameters<Module[K]>[0] & object): ReactNode {
    const part = <Part {...(props as object)} />;
    if (stands === 'around') return part;
    return <Suspense fallback={<Coming inPlace={stands === 'in-place'} />}>{part}</Suspense>;
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
