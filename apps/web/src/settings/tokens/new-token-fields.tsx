import { Group, Radio, Select, Stack, TextInput } from '@mantine/core'
import type { FolderId, Scope, TokenKind } from '@meadow/contract'
import type { Membership, NewApiToken, TokenPolicy } from '@meadow/contract/web'
import type { Form } from '../../shell/form.tsx'
import { lazyPart, notLoaded } from '../../shell/lazy-part.tsx'
import { ANY_ADDRESS, readWords, ScopesInput, WordsInput } from './token-fields.tsx'
import { defaultLife, endOf, formatDays, listLives, rangeOfDates, type TokenLife } from './token-lives.ts'

const FolderChoice = lazyPart(
  () => import('./folder-choice.tsx'),
  'FolderChoice',
  notLoaded('The choice of folders'),
)

/** What a person chooses for a new token. */
export interface NewTokenValues {
  name: string
  kind: TokenKind
  scopes: Scope[]
  /** The folders that the token reads; undefined for the whole team. */
  folders: FolderId[] | undefined
  life: TokenLife
  /** The value of an `<input type="date">`. */
  date: string
  addresses: string
  origins: string
}

/**
 * The values that a form of a new token begins with. `asked`: the scopes that a program asks for; all that the policy
 * allows where there are none.
 */
export const newTokenValues = (
  { scopes, longestDays }: TokenPolicy,
  name = '',
  asked: readonly Scope[] = [],
): NewTokenValues => ({
  name,
  kind: 'personal',
  scopes: scopes.filter((scope) => asked.length === 0 || asked.includes(scope)),
  folders: undefined,
  life: defaultLife(longestDays),
  date: '',
  addresses: '',
  origins: '',
})

/** Whether a token with these values cannot be made yet. */
export const isNewTokenIncomplete = ({ scopes, folders }: NewTokenValues): boolean =>
  scopes.length === 0 || folders?.length === 0

/** The values as the server takes them. */
export function readNewToken(
  { name, kind, scopes, folders, life, date, addresses, origins }: NewTokenValues,
  { longestDays }: TokenPolicy,
): NewApiToken {
  const expiresAt = endOf(life, date, longestDays, Date.now())
  const token = {
    name,
    kind,
    scopes,
    folders: folders ?? null,
    ...{ addresses: readWords(addresses), origins: readWords(origins) },
  }
  return { ...token, ...(expiresAt !== undefined && { expiresAt }) }
}

interface FieldsProps {
  team: Membership
  policy: TokenPolicy
  form: Pick<Form<NewTokenValues>, 'values' | 'text' | 'choice'>
}

/** The fields of a new token. */
export function NewTokenFields({ team, policy, form: { values, text, choice } }: FieldsProps) {
  const { longestDays } = policy
  return (
    <>
      <TextInput
        label="Name"
        description="What uses it, such as “Nightly report”"
        required
        data-autofocus
        {...text('name')}
      />
      {team.role === 'owner' && (
        <Radio.Group label="Whose it is" {...choice('kind')}>
          <Stack gap={6} mt={6}>
            <Radio value="personal" label="Mine: it ends when I leave the team" />
            <Radio value="service" label="The team’s: it stays when I leave, and owners replace it" />
          </Stack>
        </Radio.Group>
      )}
      <ScopesInput {...choice('scopes')} allowed={policy.scopes} />
      <FolderLimit team={team} {...choice('folders')} />
      <Group align="end" grow>
        <Select
          label="Expires"
          description={longestDays !== null && `The team’s policy allows ${formatDays(longestDays)} at most`}
          data={listLives(longestDays)}
          allowDeselect={false}
          {...choice('life')}
        />
        {values.life === 'date' && (
          <TextInput
            label="Last day"
            type="date"
            required
            {...rangeOfDates(longestDays, Date.now())}
            {...text('date')}
          />
        )}
      </Group>
      <WordsInput
        label="Addresses"
        description="It works only from these addresses and networks"
        placeholder={ANY_ADDRESS}
        {...text('addresses')}
      />
      <WordsInput
        label="Web pages"
        description="Pages of these origins may read with it in a browser; whoever uses them can take it"
        placeholder={'None\nfor example https://dashboard.example.org'}
        {...text('origins')}
      />
    </>
  )
}

interface FolderLimitProps {
  team: Membership
  /** The folders that the token reads; undefined for the whole team. */
  value: FolderId[] | undefined
  onChange: (folders: FolderId[] | undefined) => void
}

/** Chooses whether the token reads the whole team, or some folders only. */
function FolderLimit({ team, value, onChange }: FolderLimitProps) {
  return (
    <>
      <Radio.Group
        label="What it may read"
        value={value ? 'folders' : 'team'}
        onChange={(chosen) => onChange(chosen === 'folders' ? [] : undefined)}
      >
        <Group mt={6}>
          <Radio value="team" label="The whole team" />
          <Radio value="folders" label="Only some folders" />
        </Group>
      </Radio.Group>
      {value && <FolderChoice team={team} value={value} onChange={onChange} />}
    </>
  )
}
