import { lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { withTimeout } from '#lib/with-timeout.ts';

/** A screen whose code loads when it is first opened. If the code is gone after a server update, the page reloads once. */
export const lazyScreen = <K extends string>(load: () => Promise<Record<K, ComponentType>>, name: K) =>
  lazyRouteComponent(() => withTimeout(load()), name);
