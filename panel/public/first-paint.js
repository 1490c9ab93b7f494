// Runs before the first paint, so that neither the wrong colour scheme nor the wrong language flashes.
(() => {
  const root = document.documentElement;
  try {
    const chosen = localStorage.getItem('portico.scheme') ?? 'auto';
    const dark = chosen === 'dark' || (chosen === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
    root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
    root.lang = localStorage.getItem('portico.language') === 'tr' ? 'tr' : 'en';
  } catch {
    // Storage may be forbidden; the defaults in the page stand.
  }
})();
