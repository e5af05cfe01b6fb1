import { Checkbox, Stack, Textarea, type TextareaProps } from '@mantine/core'
import { ALL_SCOPES, type Scope } from '@meadow/contract'

const SCOPE_LABELS: Record<Scope, string> = {
  'team:read': 'Read the team',
  'folders:read': 'Read folders',
  'documents:read': 'Read and search documents',
  'solutions:read': 'Read solutions',
  'exports:read': 'Ask for exports',
}

interface ScopesInputProps {
  value: Scope[]
  onChange: (scopes: Scope[]) => void
  /** The scopes that can be chosen; the others are shown, but disabled. */
  allowed?: readonly Scope[]
}

/** Chooses scopes. */
export function ScopesInput({ value, onChange, allowed = ALL_SCOPES }: ScopesInputProps) {
  return (
    <Checkbox.Group
      label="Scopes"
      description={allowed.length < ALL_SCOPES.length && 'The team’s policy does not allow all of them'}
      value={value}
      onChange={(chosen) => onChange(chosen as Scope[])}
    >
      <Stack gap={6} mt={6}>
        {ALL_SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            value={scope}
            label={`${SCOPE_LABELS[scope]} (${scope})`}
            disabled={!allowed.includes(scope)}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

/** The placeholder of a list of addresses. */
export const ANY_ADDRESS = 'Any address\nfor example 203.0.113.7 or 10.0.0.0/8'

/** Takes a list of addresses, networks or origins, which `readWords` reads. */
export const WordsInput = (props: TextareaProps) => <Textarea {...props} autosize minRows={2} maxRows={8} />

/** The words of a text, which are separated by lines, spaces or commas. The server checks them. */
export const readWords = (text: string): string[] => text.split(/[\s,;]+/).filter((part) => part !== '')
