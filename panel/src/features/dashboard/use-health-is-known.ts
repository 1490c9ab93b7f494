import { useEffect, useState } from 'react';
import { useFilteredDevices, useHealth, useHere, useProblems } from '#features/dashboard/dashboard.api.ts';
import { useSetup } from '#features/dashboard/setup-list.tsx';
import type { ListSearch } from '#lib/search.ts';
import { useWorkingLocation } from '#lib/working-location.ts';

/** A jump of the layout is better than an empty screen for longer than this (ms). */
const patienceMs = 5000;

/**
 * Whether everything has been answered that decides what stands at the top of the dashboard. If its parts appeared one by
 * one, each would move the figures below it.
 */
export function useHealthIsKnown(search: ListSearch): boolean {
  const asked = [
    useSetup(),
    useProblems(search),
    useFilteredDevices(search),
    useHealth(useWorkingLocation() === null),
    useHere(),
  ];
  const [isKnown, setIsKnown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsKnown(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  // Later answers, such as those of another filter, hide nothing.
  if (!isKnown && !asked.some(query => query.isLoading)) setIsKnown(true);
  return isKnown;
}
