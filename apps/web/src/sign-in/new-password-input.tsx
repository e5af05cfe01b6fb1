import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { findPasswordFault, MIN_PASSWORD_LENGTH, type OwnData, PASSWORD_FAULTS } from '@meadow/passwords'
import { useEffect, useState } from 'react'

/** The delay of advice in milliseconds: long enough that nobody gets advice about a word that they are still typing. */
const ADVISE_AFTER_MS = 300

interface NewPasswordInputProps extends Pick<PasswordInputProps, 'label' | 'mt'> {
  value: string
  onChange: (value: string) => void
  /** What others know of the person. */
  own: OwnData
  /** A text that follows the rule in the description. */
  note?: string
}

/**
 * Asks for a new password and says while it is typed why the server would refuse it. The list of known passwords is
 * loaded when there is a password long enough to be looked for.
 */
export function NewPasswordInput({
  value,
  onChange,
  own: { name, email, teams },
  note,
  ...props
}: NewPasswordInputProps) {
  const [typed] = useDebouncedValue(value, ADVISE_AFTER_MS)
  const [advice, setAdvice] = useState<string>()
  const team = teams?.join('\n')
  useEffect(() => {
    let isCurrent = true
    const own = { ...(name && { name }), ...(email && { email }), ...(team && { teams: [team] }) }
    findPasswordFault(typed, own).then(
      (fault) => {
        // The rule of the length stands above the field.
        if (isCurrent) setAdvice(fault && fault !== 'length' ? PASSWORD_FAULTS[fault] : undefined)
      },
      // If the list cannot be loaded, there is no advice. The server has the list, too.
      () => {},
    )
    return () => {
      isCurrent = false
    }
  }, [typed, name, email, team])
  return (
    <PasswordInput
      {...props}
      description={[PASSWORD_FAULTS.length, note].filter(Boolean).join(' ')}
      autoComplete="new-password"
      required
      minLength={MIN_PASSWORD_LENGTH}
      value={value}
      error={value === typed ? advice : undefined}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
