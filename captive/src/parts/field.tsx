import { fieldMax, type GuestField } from '@portico/contract/guest-fields.ts';
import type { Texts } from '@portico/contract/guest-texts/keys.ts';

interface FieldProps {
  readonly id: string;
  readonly field: GuestField;
  readonly texts: Texts;
  readonly value: string | undefined;
  readonly invalid: boolean;
  /** For a field that only some buttons of the form need. */
  readonly required?: boolean;
}

export function Field({ id, field, texts, value, invalid, required = !field.optional }: FieldProps) {
  const secret = field.type === 'password';
  return (
    <div className="field">
      <label htmlFor={id}>
        {texts.fields[field.name]} {field.optional && <small>({texts.optional})</small>}
      </label>
      <div
        className="input"
        {...(secret && { 'data-reveal': '', 'data-show': texts.showPassword, 'data-hide': texts.hidePassword })}
      >
        <input
          id={id}
          name={field.name}
          type={field.type}
          autoComplete={field.autocomplete}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck="false"
          inputMode={field.inputmode}
          required={required}
          maxLength={fieldMax[field.name]}
          defaultValue={value}
          aria-invalid={invalid || undefined}
          aria-describedby={invalid ? 'problem' : undefined}
          {...(secret || field.type === 'email' || field.type === 'tel' ? { dir: 'ltr' } : { dir: 'auto' })}
        />
      </div>
    </div>
  );
}
