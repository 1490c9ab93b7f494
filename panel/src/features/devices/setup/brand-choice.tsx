import { TextInput } from '@mantine/core';
import type { Brand } from '@portico/contract/devices.ts';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BrandLogo } from '#features/devices/brand-logo.tsx';
import classes from '#features/devices/setup/setup.module.css';
import { UntriedNote } from '#features/devices/setup/untried-note.tsx';
import { folded } from '#lib/folded.ts';
import { ChoiceCards } from '#ui/choice-cards.tsx';

interface Props {
  brands: readonly Brand[];
  value: string | undefined;
  onChange: (id: string) => void;
}

/** Other names by which people know a gateway. */
const aliases: Readonly<Record<string, string>> = {
  coovachilli: 'chilli chillispot uam openwrt',
  opennds: 'nds nodogsplash openwrt fas debian',
  uspot: 'openwrt uam',
  uam: 'openwrt chillispot',
  aruba: 'hpe instant iap controller',
  cisco: 'wlc catalyst 9800 aireos wireless controller',
  fortigate: 'fortinet fortios fortiap',
  cambium: 'cnpilot cnmaestro epmp',
  meraki: 'cisco radius sign-on splash',
  'meraki-click': 'cisco splash click-through',
  omada: 'tp-link tplink eap',
  opnsense: 'deciso firewall',
  pfsense: 'netgate firewall',
  unifi: 'ubiquiti ubnt udm dream machine cloud key',
  ruckus: 'smartzone unleashed zonedirector commscope wispr',
};

const matches = ({ name, slug }: Brand, typed: string): boolean =>
  folded(typed)
    .split(/\s+/)
    .every(word => folded(`${name} ${slug} ${aliases[slug] ?? ''}`).includes(word));

export function BrandChoice({ brands, value, onChange }: Props) {
  const { t } = useTranslation('devices');
  const [typed, setTyped] = useState('');
  const shown = brands.filter(brand => brand.id === value || matches(brand, typed.trim()));
  const chosen = brands.find(brand => brand.id === value);
  const choices = shown.map(brand => ({
    value: brand.id,
    body: (
      <>
        <BrandLogo brand={brand} size={36} />
        {brand.name}
      </>
    ),
  }));
  return (
    <div className={classes.stack}>
      <TextInput
        label={t('findBrand')}
        type="search"
        autoComplete="off"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={typed}
        onChange={event => setTyped(event.currentTarget.value)}
        onKeyDown={event => {
          // Enter would go on with the brand that was chosen before.
          if (event.key === 'Enter') event.preventDefault();
        }}
      />
      {choices.length > 0 ? (
        <ChoiceCards legend={t('brand')} name="brand" choices={choices} value={value} onChange={onChange} first />
      ) : (
        <p role="status">{t('noBrand')}</p>
      )}
      {chosen && <UntriedNote brand={chosen} />}
    </div>
  );
}
