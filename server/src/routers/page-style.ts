/** The style of the pages that routers serve: one link in the middle. They cannot load our style sheet before sign-in. */
export const pageStyle =
  'body{margin:0;min-height:100vh;display:grid;place-items:center;font:1rem system-ui,sans-serif;color:#14181f;background:#fff}a{display:inline-block;padding:1rem 1.5rem;border-radius:.75rem;background:#1f5fd6;color:#fff;text-decoration:none}';
