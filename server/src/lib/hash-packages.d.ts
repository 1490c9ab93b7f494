// These packages bring no types.
declare module 'js-md4' {
  const md4: { create(): { update(bytes: Uint8Array): { arrayBuffer(): ArrayBuffer } } };
  export default md4;
}
declare module 'unix-crypt-td-js' {
  const crypt: (password: string, salt: string) => string;
  export default crypt;
}
