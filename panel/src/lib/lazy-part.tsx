import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { inTime } from '#lib/in-time.ts';

/** A part of a screen (mostly a dialog with its form) whose code is fetched when it is first shown. */
export function lazyPart<Props extends object, K extends string>(
  load: () => Promise<Record<K, ComponentType<Props>>>,
  name: K,
) {
  const Part = lazy(async () => ({ default: (await inTime(load()))[name] as ComponentType<object> }));
  return function LazyPart(props: Props): ReactNode {
    return (
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
    );
  };
}
