/**
 * Gives the focus back when a dialog closes. Mantine does so only for dialogs that stay mounted, and most are taken away.
 * A ref for an element that is there while the dialog is open. It is set before the dialog takes the focus.
 */
export function returnsFocus(element: Element | null) {
  const opener = document.activeElement;
  if (!element || !(opener instanceof HTMLElement) || opener === document.body) return undefined;
  return () => {
    // Later, because the closing may have given the focus to something else.
    setTimeout(() => {
      if (document.activeElement === document.body) opener.focus({ preventScroll: true });
    });
  };
}
