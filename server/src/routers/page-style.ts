/**
 * The style of the pages that routers serve: one link in the middle. They cannot load our style sheet before sign-in. On a
 * phone that is set to dark they are dark, like the portal after them.
 */
export const pageStyle =
  ':root{color-scheme:light dark}body{margin:0;min-height:100vh;display:grid;place-items:center;font:1rem system-ui,sans-serif}a{display:inline-block;padding:1rem 1.5rem;border-radius:.75rem;background:#1f5fd6;color:#fff;text-decoration:none}';
