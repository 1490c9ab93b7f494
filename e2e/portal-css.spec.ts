import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue } from './src/venue.ts';

test('the editor names a mistake in custom CSS before it is saved', async ({ page, operator }) => {
  const { portalId } = await makeVenue(operator);
  await enterPanel(page, { token: operator.token, language: 'en' });
  await page.goto(`/portals/${portalId}/edit`);
  const field = page.getByRole('textbox', { name: 'Custom CSS' });
  await field.fill('.title { letter-spacing: 0.02em }\n.title { position: fixed }');
  await expect(field).toHaveAccessibleDescription('Line 2: the property position cannot be changed.');
  await expect(field).toBeFocused();
  await expectAccessible(page);
  await field.fill('.title { letter-spacing: 0.02em }');
  await expect(field).not.toHaveAttribute('aria-invalid');
  await expect(page.getByText('cannot be changed')).toBeHidden();
});
