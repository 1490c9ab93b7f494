import type { PortalForm } from '@portico/contract/portals.ts';
import { type FormEvent, useRef, useState } from 'react';
import { changesOf } from '#features/portals/editor/changes-of.ts';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import { useSavePortalPart } from '#features/portals/editor/portal-drafts.api.ts';

/** Saves the form of a tab: Enter publishes it, the second button saves it to the draft. */
export function useSavePortal() {
  const { portal, drafts, create, seenAt, setPhase } = useEditor();
  const [creating, setCreating] = useState(false);
  const { isPending, mutateAsync } = useSavePortalPart(portal, drafts);
  const draftAsked = useRef(false);
  const toDraft = useRef(false);
  return {
    pending: isPending || creating,
    send: async (form: PortalForm) => {
      const changes = changesOf(form, portal);
      if (!create) {
        setPhase('sending');
        try {
          await mutateAsync({ form: changes, toDraft: toDraft.current, seenAt });
          setPhase('saved');
          return true;
        } catch (error) {
          setPhase('idle');
          throw error;
        }
      }
      setCreating(true);
      await create({ ...changes, name: form.name ?? portal.name }).finally(() => setCreating(false));
      return false;
    },
    /** Wraps the form's submit handler and records which of the two ways was chosen. */
    wrapSubmit: (submit: (event: FormEvent<HTMLFormElement>) => void) => (event: FormEvent<HTMLFormElement>) => {
      toDraft.current = draftAsked.current;
      submit(event);
    },
    onSaveDraft: (form: HTMLFormElement | null) => {
      draftAsked.current = true;
      form?.requestSubmit();
      draftAsked.current = false;
    },
  };
}
