import { inviteMember } from './src/members.ts';
import { enterPanel } from './src/panel.ts';
import { expect, test } from './src/test.ts';
import { makeVenue } from './src/venue.ts';

interface Made {
  readonly data: { readonly id: string };
}

test('forms offer session profiles by name to a member who may not open them @phone', async ({
  page,
  operator,
  product,
}, { project }) => {
  const isPhone = project.name === 'phone';
  const venue = await makeVenue(operator);
  const profile_id = venue.profileId;
  const { data: other } = await operator.call<Made>('POST', 'panel/location/user-profile', {
    location_id: venue.locationId,
    name: 'Uzun konaklama',
  });
  await operator.call('PUT', `panel/portal/${venue.portalId}`, {
    providers: [{ slug: 'temp', order: 1, options: { profile_id } }],
  });
  const network = { name: 'Bahçe', start_ip: '10.77.0.0', subnet: '24', profile_id };
  await operator.call('POST', `panel/device/${venue.device.id}/network`, network);
  const permissions = ['view-portals', 'update-portals', 'view-devices', 'update-devices'];
  const token = await inviteMember(product, operator, venue, { permissions });
  await enterPanel(page, { token, language: isPhone ? 'tr' : 'en' });
  const label = isPhone ? 'Oturum profili' : 'Session profile';

  await page.goto(`/portals/${venue.portalId}/edit/sign-in-methods`);
  await page
    .getByRole('button', { name: isPhone ? /Ücretsiz kullanım/ : /Free access/ })
    .last()
    .click();
  const profile = page.getByRole('combobox', { name: label });
  await expect(profile).toHaveValue(profile_id);
  await expect(profile.getByRole('option', { selected: true })).toHaveText('Standart');
  await profile.selectOption('Uzun konaklama');
  await expect(profile).toHaveValue(other.id);

  await page.goto(`/devices/${venue.device.id}/networks`);
  await page.getByRole('button', { name: 'Bahçe', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const ofNetwork = dialog.getByRole('combobox', { name: label });
  await expect(ofNetwork).toHaveValue('Standart');
  await ofNetwork.click();
  await page.getByRole('option', { name: 'Uzun konaklama' }).click();
  await dialog.getByRole('button', { name: isPhone ? 'Kaydet' : 'Save' }).click();
  await expect(dialog).toBeHidden();
  const { data: networks } = await operator.call<{ data: unknown }>('GET', `panel/device/${venue.device.id}/network`);
  expect(networks).toMatchObject([{ name: 'Bahçe', profile_id: other.id }]);
});
