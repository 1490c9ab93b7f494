import { lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { inTime } from '#lib/in-time.ts';

/** A screen whose code is fetched when it is first opened. After an update of the server it reloads the page, once. */
export const lazyScreen = <K extends string>(load: () => Promise<Record<K, ComponentType>>, name: K) =>
  lazyRouteComponent(() => inTime(load()), name);
