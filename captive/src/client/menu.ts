/** Filters products while the guest types. Without script the server does the same search. */

const input = document.querySelector<HTMLInputElement>('input[data-live]');
const nothing = document.querySelector<HTMLElement>('[data-nothing]');
const language = document.documentElement.lang;
const folded = (text: string) => text.toLocaleLowerCase(language).normalize('NFKD').replaceAll(/\p{M}/gu, '');

function show(): void {
  const words = folded(input?.value ?? '')
    .split(/\s+/)
    .filter(Boolean);
  let found = 0;
  for (const section of document.querySelectorAll('section')) {
    let here = 0;
    for (const item of section.querySelectorAll<HTMLElement>('[data-words]')) {
      const text = folded(item.dataset['words'] ?? '');
      item.hidden = !words.every(word => text.includes(word));
      if (!item.hidden) here++;
    }
    section.hidden = here === 0;
    found += here;
  }
  if (nothing) nothing.hidden = found > 0;
}

if (input) {
  input.addEventListener('input', show);
  input.form?.addEventListener('submit', event => {
    event.preventDefault();
    input.blur();
  });
  // The back button restores the input.
  if (input.value) show();
}
