import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#ui/password-strength.module.css';

const kinds = [/[a-zçğıöşü]/, /[A-ZÇĞİÖŞÜ]/, /\d/, /[^\p{L}\d]/u];

/** 0 (too short) to 4. Four characters beyond the minimum count as much as one more kind of character. */
export function strengthOf(password: string, atLeast: number): number {
  if (password.length < atLeast) return 0;
  const variety = kinds.filter(kind => kind.test(password)).length;
  const repeats = new Set(password).size < password.length / 2 ? 1 : 0;
  return Math.min(4, Math.max(1, Math.floor((password.length - atLeast) / 4) + Math.ceil(variety / 2) - repeats + 1));
}

const words = ['short', 'weak', 'fair', 'good', 'strong'] as const;

interface Props {
  password: string;
  atLeast: number;
  /** The field's error: it says by itself that the password is too short. */
  error: ReactNode;
}

/** A bar of four parts with its meaning in words, below a field for a new password. */
export function PasswordStrength({ password, atLeast, error }: Props) {
  const { t } = useTranslation();
  const strength = strengthOf(password, atLeast);
  const isSaid = strength === 0 && password !== '' && Boolean(error);
  return (
    <div className={classes.meter} data-strength={password ? strength : 'none'}>
      <div className={classes.bars} aria-hidden="true">
        {[1, 2, 3, 4].map(part => (
          <span key={part} data-on={password !== '' && part <= Math.max(1, strength)} />
        ))}
      </div>
      <span aria-live="polite">
        {!isSaid &&
          (password
            ? t(`strength.${words[strength] ?? 'short'}`, { count: atLeast })
            : t('strength.hint', { count: atLeast }))}
      </span>
    </div>
  );
}
