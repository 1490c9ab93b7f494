/** A new shared secret: 32 characters that need no quoting in router scripts. */
export const generateSecret = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24))))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
