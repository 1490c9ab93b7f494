import { DeviceScreen } from '#features/devices/device-screen.tsx';
import classes from '#features/devices/devices.module.css';
import { MacCard } from '#features/devices/mac-card.tsx';

export const DeviceMacsPage = () => (
  <DeviceScreen>
    {device => (
      <div className={classes.columns}>
        <MacCard device={device} type="bypassed" />
        <MacCard device={device} type="blocked" />
      </div>
    )}
  </DeviceScreen>
);
