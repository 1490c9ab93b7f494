import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';

/** Calls `open` when the address ends in `#name`, as the actions of the search do, and removes that from the address. */
export function useHashAction(name: string, open: () => void): void {
  const isAsked = useRouterState({ select: state => state.location.hash === name });
  const navigate = useNavigate();
  const start = useEffectEvent(() => {
    open();
    void navigate({ to: '.', search: true, hash: '', replace: true });
  });
  useEffect(() => {
    if (isAsked) start();
  }, [isAsked]);
}
