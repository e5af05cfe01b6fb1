import { Group, Loader, MultiSelect, Radio, Select, Stack, TextInput } from '@mantine/core'
import { type FolderId, MAX_TOKEN_FOLDERS, type TokenKind } from '@meadow/contract'
import {
  createApiToken,
  listApiTokens,
  type Membership,
  readFolderTree,
  type TokenPolicy,
} from '@meadow/contract/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call, errorMessage } from '../../api/call.ts'
import { queryOf } from '../../api/queries.ts'
import { Dialog } from '../../shell/dialog.tsx'
import { folderOptions } from '../../shell/folder-options.ts'
import { DialogForm } from '../../shell/form.tsx'
import { SecretOnce } from './secret-once.tsx'
import { AddressesInput, readAddresses, ScopesInput } from './token-fields.tsx'
import { defaultLife, endOf, formatDays, listLives, rangeOfDates } from './token-lives.ts'

interface DialogProps {
  team: Membership
  /** The token policy of the team; undefined while it is loading. */
  policy: TokenPolicy | undefined
  isOpen: boolean
  close: () => void
}

/** Makes a token and shows its secret. */
export function NewTokenDialog({ team, policy, isOpen, close }: DialogProps) {
  return (
    <Dialog opened={isOpen} onClose={close} title="New API token" size="lg" closeOnClickOutside={false}>
      {policy ? <NewToken team={team} policy={policy} close={close} /> : <Loader aria-label="Loading" />}
    </Dialog>
  )
}

interface NewTokenProps {
  team: Membership
  policy: TokenPolicy
  close: () => void
}

function NewToken({ team, policy, close }: NewTokenProps) {
  const { longestDays } = policy
  const queryClient = useQueryClient()
  const initial = {
    name: '',
    kind: 'personal' as TokenKind,
    scopes: [...policy.scopes],
    folders: undefined as FolderId[] | undefined,
    life: defaultLife(longestDays),
    date: '',
    addresses: '',
  }
  return (
    <DialogForm
      gap="md"
      action="Create token"
      close={close}
      initial={initial}
      isIncomplete={({ scopes, folders }) => scopes.length === 0 || folders?.length === 0}
      save={({ name, kind, scopes, folders, life, date, addresses }) => {
        const expiresAt = endOf(life, date, longestDays, Date.now())
        const body = { name, kind, scopes, folders: folders ?? null, addresses: readAddresses(addresses) }
        return call(createApiToken, {
          params: [team.id],
          body: { ...body, ...(expiresAt !== undefined && { expiresAt }) },
        })
      }}
      onSaved={() => queryClient.invalidateQueries({ queryKey: [listApiTokens.path] })}
      done={({ secret }) => <SecretOnce secret={secret} close={close} />}
    >
      {({ values, text, choice }) => (
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
              description={
                longestDays !== null && `The team’s policy allows ${formatDays(longestDays)} at most`
              }
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
          <AddressesInput
            description="It works only from these addresses and networks"
            {...text('addresses')}
          />
        </>
      )}
    </DialogForm>
  )
}

interface FolderLimitProps {
  team: Membership
  /** The folders that the token reads; undefined for the whole team. */
  value: FolderId[] | undefined
  onChange: (folders: FolderId[] | undefined) => void
}

/** Chooses whether the token reads the whole team, or some folders only. */
function FolderLimit({ team, value: folders, onChange }: FolderLimitProps) {
  const tree = useQuery({ ...queryOf(readFolderTree, { params: [team.id] }), enabled: folders !== undefined })
  const below = folderOptions(tree.data?.folders ?? []).slice(1)
  return (
    <>
      <Radio.Group
        label="What it may read"
        value={folders ? 'folders' : 'team'}
        onChange={(chosen) => onChange(chosen === 'folders' ? [] : undefined)}
      >
        <Group mt={6}>
          <Radio value="team" label="The whole team" />
          <Radio value="folders" label="Only some folders" />
        </Group>
      </Radio.Group>
      {folders && (
        <MultiSelect
          label="Folders"
          description="It reads these with everything below, and nothing else"
          searchable
          required
          maxValues={MAX_TOKEN_FOLDERS}
          nothingFoundMessage={tree.isPending ? 'Loading' : 'No folder has that name'}
          error={tree.isError && errorMessage(tree.error)}
          data={below}
          value={folders}
          onChange={(chosen) => onChange(chosen as FolderId[])}
        />
      )}
    </>
  )
}
