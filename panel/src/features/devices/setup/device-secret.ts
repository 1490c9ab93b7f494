/** A fresh shared secret for a device: 32 characters that no router's script has to quote. */
export const makeSecret = (): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24))))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
