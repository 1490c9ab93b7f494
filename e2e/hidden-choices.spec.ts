import { inviteMember } from './src/members.ts';
import { enterPanel } from './src/panel.ts';
import { expect, test } from './src/test.ts';
import { makeVenue } from './src/venue.ts';

test('forms keep a session profile that their user may not view, and say so @phone', async ({
  page,
  operator,
  product,
}, { project }) => {
  const isPhone = project.name === 'phone';
  const venue = await makeVenue(operator);
  const profile_id = venue.profileId;
  await operator.call('PUT', `panel/portal/${venue.portalId}`, {
    providers: [{ slug: 'temp', order: 1, options: { profile_id } }],
  });
  const network = { name: 'Bahçe', start_ip: '10.77.0.0', subnet: '24', profile_id };
  await operator.call('POST', `panel/device/${venue.device.id}/network`, network);
  const permissions = ['view-portals', 'update-portals', 'view-devices', 'update-devices'];
  const token = await inviteMember(product, operator, venue, { permissions });
  await enterPanel(page, { token, language: isPhone ? 'tr' : 'en' });

  const why = isPhone ? /Oturum profillerini görme izniniz yok/ : /You may not view session profiles/;
  await page.goto(`/portals/${venue.portalId}/edit/sign-in-methods`);
  await page
    .getByRole('button', { name: isPhone ? /Ücretsiz kullanım/ : /Free access/ })
    .last()
    .click();
  const profile = page.getByRole('combobox', { name: isPhone ? 'Oturum profili' : 'Session profile' });
  await expect(profile).toHaveValue(profile_id);
  await expect(profile.getByRole('option', { selected: true })).toHaveText(
    isPhone ? 'Görme izniniz olmayan bir profil' : 'A profile that you may not view',
  );
  await expect(page.getByText(why).first()).toBeVisible();

  await page.goto(`/devices/${venue.device.id}/networks`);
  await page.getByRole('button', { name: 'Bahçe', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(why)).toBeVisible();
  await expect(dialog.getByRole('combobox', { name: isPhone ? 'Oturum profili' : 'Session profile' })).toHaveValue(
    'Standart',
  );
});
