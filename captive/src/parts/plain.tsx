/** Tells the server that the browser has no script, which would say that the router does not answer. */
export const Plain = () => (
  <noscript>
    <input type="hidden" name="plain" value="1" />
  </noscript>
);
