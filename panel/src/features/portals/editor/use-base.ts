import type { Portal } from '@portico/contract/portals.ts';
import { useCallback, useState } from 'react';

type Phase = 'idle' | 'sending' | 'saved';

export interface Base {
  /** The portal that the form was filled from. It stays while the form has unsaved changes. */
  base: Portal;
  /** Changes when the form has to start from `base` anew. */
  formKey: string;
  /** The version that the caller has seen, for the check of a save. */
  seenAt: string;
  /** Another person's version, while the form has unsaved changes of an older one. */
  theirs: Portal | undefined;
  setDirty: (dirty: boolean) => void;
  setPhase: (phase: Phase) => void;
  /** Fills the form from their version; unsaved changes are lost. */
  takeTheirs: () => void;
  /** Saves the unsaved changes over their version; what only they changed stays. */
  keepMine: () => void;
}

/** Keeps a form on the version that it was filled from, until its changes are saved or discarded. */
export function useBase(portal: Portal): Base {
  const [kept, setKept] = useState(portal);
  const [dirty, setDirty] = useState(false);
  const [phase, setPhase] = useState<Phase>('idle');
  const [resets, setResets] = useState(0);
  const [agreedAt, setAgreedAt] = useState<string>();
  const moved = kept.updated_at !== portal.updated_at;
  const stays = moved && dirty && phase !== 'saved';
  // Adopted while rendering, so that no form is ever filled from an old version.
  if (!stays && kept !== portal) {
    setKept(portal);
    setPhase('idle');
    setAgreedAt(undefined);
  }
  const base = stays ? kept : portal;
  const agreed = agreedAt === portal.updated_at;
  return {
    base,
    formKey: `${base.id} ${resets}`,
    seenAt: agreed ? portal.updated_at : base.updated_at,
    theirs: stays && phase === 'idle' && !agreed ? portal : undefined,
    setDirty,
    setPhase,
    takeTheirs: useCallback(() => {
      setDirty(false);
      setResets(n => n + 1);
    }, []),
    keepMine: useCallback(() => setAgreedAt(portal.updated_at), [portal.updated_at]),
  };
}
