import {
  Alert,
  Button,
  Group,
  Loader,
  Modal,
  MultiSelect,
  Radio,
  Select,
  Stack,
  TextInput,
} from '@mantine/core'
import { type FolderId, MAX_TOKEN_FOLDERS, type TokenKind } from '@meadow/contract'
import {
  createApiToken,
  listApiTokens,
  type Membership,
  readFolderTree,
  type TokenPolicy,
} from '@meadow/contract/web'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, errorMessage } from '../../api/call.ts'
import { queryOf } from '../../api/queries.ts'
import { folderOptions } from '../../shell/folder-options.ts'
import { SecretOnce } from './secret-once.tsx'
import { AddressesInput, readAddresses, ScopesInput } from './token-fields.tsx'
import { defaultLife, endOf, formatDays, listLives, rangeOfDates, type TokenLife } from './token-lives.ts'

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
    <Modal opened={isOpen} onClose={close} title="New API token" size="lg" closeOnClickOutside={false}>
      {policy ? <NewToken team={team} policy={policy} close={close} /> : <Loader aria-label="Loading" />}
    </Modal>
  )
}

interface NewTokenProps {
  team: Membership
  policy: TokenPolicy
  close: () => void
}

function NewToken({ team, policy, close }: NewTokenProps) {
  const { longestDays } = policy
  const [name, setName] = useState('')
  const [kind, setKind] = useState<TokenKind>('personal')
  const [scopes, setScopes] = useState([...policy.scopes])
  const [folders, setFolders] = useState<FolderId[]>()
  const [life, setLife] = useState(defaultLife(longestDays))
  const [date, setDate] = useState('')
  const [addresses, setAddresses] = useState('')
  const queryClient = useQueryClient()
  const make = useMutation({
    mutationFn: () => {
      const expiresAt = endOf(life, date, longestDays, Date.now())
      const body = { name, kind, scopes, folders: folders ?? null, addresses: readAddresses(addresses) }
      return call(createApiToken, {
        params: [team.id],
        body: { ...body, ...(expiresAt !== undefined && { expiresAt }) },
      })
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [listApiTokens.path] }),
  })
  if (make.data) return <SecretOnce secret={make.data.secret} close={close} />
  return (
    <Stack
      component="form"
      onSubmit={(event) => {
        event.preventDefault()
        make.mutate()
      }}
    >
      {make.isError && (
        <Alert color="red" role="alert">
          {errorMessage(make.error)}
        </Alert>
      )}
      <TextInput
        label="Name"
        description="What uses it, such as “Nightly report”"
        required
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      {team.role === 'owner' && (
        <Radio.Group label="Whose it is" value={kind} onChange={(chosen) => setKind(chosen as TokenKind)}>
          <Stack gap={6} mt={6}>
            <Radio value="personal" label="Mine: it ends when I leave the team" />
            <Radio value="service" label="The team’s: it stays when I leave, and owners replace it" />
          </Stack>
        </Radio.Group>
      )}
      <ScopesInput scopes={scopes} setScopes={setScopes} allowed={policy.scopes} />
      <FolderLimit team={team} folders={folders} setFolders={setFolders} />
      <Group align="end" grow>
        <Select
          label="Expires"
          description={longestDays !== null && `The team’s policy allows ${formatDays(longestDays)} at most`}
          data={listLives(longestDays)}
          value={life}
          allowDeselect={false}
          onChange={(chosen) => chosen && setLife(chosen as TokenLife)}
        />
        {life === 'date' && (
          <TextInput
            label="Last day"
            type="date"
            required
            {...rangeOfDates(longestDays, Date.now())}
            value={date}
            onChange={({ currentTarget }) => setDate(currentTarget.value)}
          />
        )}
      </Group>
      <AddressesInput
        description="It works only from these addresses and networks"
        text={addresses}
        setText={setAddresses}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button
          type="submit"
          loading={make.isPending}
          disabled={scopes.length === 0 || folders?.length === 0}
        >
          Create token
        </Button>
      </Group>
    </Stack>
  )
}

interface FolderLimitProps {
  team: Membership
  /** The folders that the token reads; undefined for the whole team. */
  folders: FolderId[] | undefined
  setFolders: (folders: FolderId[] | undefined) => void
}

/** Chooses whether the token reads the whole team, or some folders only. */
function FolderLimit({ team, folders, setFolders }: FolderLimitProps) {
  const tree = useQuery({ ...queryOf(readFolderTree, { params: [team.id] }), enabled: folders !== undefined })
  const below = folderOptions(tree.data?.folders ?? []).slice(1)
  return (
    <>
      <Radio.Group
        label="What it may read"
        value={folders ? 'folders' : 'team'}
        onChange={(chosen) => setFolders(chosen === 'folders' ? [] : undefined)}
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
          onChange={(chosen) => setFolders(chosen as FolderId[])}
        />
      )}
    </>
  )
}
