interface Named {
  id: string;
  name: string;
}

/** The options of a select. They include the current value even before the others have loaded. */
export function choices(options: readonly Named[], chosen?: Named | null): { value: string; label: string }[] {
  const missing = chosen && !options.some(option => option.id === chosen.id) ? [chosen] : [];
  return [...missing, ...options].map(({ id, name }) => ({ value: id, label: name }));
}
