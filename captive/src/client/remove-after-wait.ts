interface Notice {
  readonly dataset: DOMStringMap;
  readonly style: Pick<CSSStyleDeclaration, 'visibility'>;
}

/**
 * Removes a notice once its waiting time is over. Its space stays, so that the form does not jump. The fields that it
 * describes are no longer marked as wrong. `data-wait` has seconds and not a moment, because clocks of phones may be wrong.
 */
export function removeAfterWait(notice: Notice, fields: () => Iterable<Pick<Element, 'removeAttribute'>>): void {
  setTimeout(() => {
    notice.style.visibility = 'hidden';
    for (const field of fields()) {
      field.removeAttribute('aria-describedby');
      field.removeAttribute('aria-invalid');
    }
  }, Number(notice.dataset['wait']) * 1000);
}
