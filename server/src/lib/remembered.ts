/**
 * `make` for two things that are the same each time: what came of them is kept with `b`, for the latest `a`. It must hang on
 * nothing but them, and nobody may change it.
 */
export function remembered<A extends object, B extends object, T>(make: (a: A, b: B) => T): (a: A, b: B) => T {
  const made = new WeakMap<B, { readonly a: A; readonly it: T }>();
  return (a, b) => {
    const known = made.get(b);
    if (known?.a === a) return known.it;
    const it = make(a, b);
    made.set(b, { a, it });
    return it;
  };
}
