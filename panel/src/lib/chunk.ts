import { lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { loadScreen } from '#lib/connection.ts';

/** A screen whose code loads when it is first opened. If the code is gone after a server update, the page reloads once. */
export const lazyScreen = <K extends string>(load: () => Promise<Record<K, ComponentType>>, name: K) =>
  lazyRouteComponent(() => loadScreen(load), name);
