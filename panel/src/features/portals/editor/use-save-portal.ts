import type { PortalForm } from '@portico/contract/portals.ts';
import { type FormEvent, useRef } from 'react';
import { changesOf } from '#features/portals/editor/changes-of.ts';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import { useKeepPortal } from '#features/portals/editor/portal-drafts.api.ts';

/** Saves the form of a tab: Enter publishes it, the second button saves it to the draft. */
export function useSavePortal() {
  const { portal, drafts } = useEditor();
  const { isPending, mutateAsync } = useKeepPortal(portal, drafts);
  const asked = useRef(false);
  const keep = useRef(false);
  return {
    pending: isPending,
    send: (form: PortalForm) => mutateAsync({ form: changesOf(form, portal), keep: keep.current }),
    /** Wraps the form's submit handler and records which of the two ways was chosen. */
    around: (submit: (event: FormEvent<HTMLFormElement>) => void) => (event: FormEvent<HTMLFormElement>) => {
      keep.current = asked.current;
      submit(event);
    },
    onKeep: (form: HTMLFormElement | null) => {
      asked.current = true;
      form?.requestSubmit();
      asked.current = false;
    },
  };
}
