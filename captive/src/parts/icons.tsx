const stroke = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const;

interface IconProps {
  readonly className?: string;
}

const icon = (path: string) =>
  function Icon({ className }: IconProps) {
    return (
      <svg viewBox="0 0 24 24" aria-hidden="true" className={className} {...stroke}>
        <path d={path} />
      </svg>
    );
  };

export const WifiIcon = icon('M12 19h.01M8.5 15.5a5 5 0 0 1 7 0M5 12a10 10 0 0 1 14 0M1.8 8.5a15 15 0 0 1 20.4 0');
export const WarningIcon = icon('M12 8v5m0 3.5h.01M12 3l9.5 17h-19z');
export const InfoIcon = icon('M12 11v5m0-8.5h.01M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z');
export const CheckIcon = icon('M5 12.5l5 5L19.5 7');
export const ClockIcon = icon('M12 7v5l3 2M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z');
