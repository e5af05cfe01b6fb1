import {
  Alert,
  Button,
  Checkbox,
  Group,
  Modal,
  MultiSelect,
  Radio,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { ALL_SCOPES, type FolderId, MAX_TOKEN_FOLDERS, type Scope } from '@meadow/contract'
import { createApiToken, listApiTokens, type Membership, readFolderTree } from '@meadow/contract/web'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, errorMessage } from '../api/call.ts'
import { findServiceAddress } from '../api/public-path.ts'
import { queryOf } from '../api/queries.ts'
import { CopyLine } from '../shell/copy-line.tsx'
import { folderOptions } from '../shell/folder-options.ts'

const SCOPE_LABELS: Record<Scope, string> = {
  'team:read': 'Read the team',
  'folders:read': 'Read folders',
  'documents:read': 'Read and search documents',
  'solutions:read': 'Read solutions',
  'exports:read': 'Ask for exports',
}

/** In days. */
const EXPIRIES = [
  { value: '7', label: 'in 7 days' },
  { value: '30', label: 'in 30 days' },
  { value: '90', label: 'in 90 days' },
  { value: '365', label: 'in a year' },
  { value: 'never', label: 'never' },
]

interface DialogProps {
  team: Membership
  isOpen: boolean
  close: () => void
}

export function NewTokenDialog({ team, isOpen, close }: DialogProps) {
  return (
    <Modal opened={isOpen} onClose={close} title="New API token" size="lg" closeOnClickOutside={false}>
      <NewToken team={team} close={close} />
    </Modal>
  )
}

function NewToken({ team, close }: Omit<DialogProps, 'isOpen'>) {
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<Scope[]>([...ALL_SCOPES])
  const [expiry, setExpiry] = useState('90')
  const [folders, setFolders] = useState<FolderId[]>()
  const queryClient = useQueryClient()
  const make = useMutation({
    mutationFn: () =>
      call(createApiToken, {
        params: [team.id],
        body: { name, scopes, expiresAt: expiresAtOf(expiry), folders: folders ?? null },
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [listApiTokens.name] }),
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
      <Checkbox.Group label="Scopes" value={scopes} onChange={(chosen) => setScopes(chosen as Scope[])}>
        <Stack gap={6} mt={6}>
          {ALL_SCOPES.map((scope) => (
            <Checkbox key={scope} value={scope} label={`${SCOPE_LABELS[scope]} (${scope})`} />
          ))}
        </Stack>
      </Checkbox.Group>
      <FolderLimit team={team} folders={folders} setFolders={setFolders} />
      <Select
        label="Expires"
        data={EXPIRIES}
        value={expiry}
        allowDeselect={false}
        onChange={(chosen) => setExpiry(chosen ?? 'never')}
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
  /** Undefined: the whole team. */
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

function expiresAtOf(days: string): string | null {
  return days === 'never' ? null : new Date(Date.now() + Number(days) * 86_400_000).toISOString()
}

/** The secret of the new token. It cannot be shown again: the server stores only its hash. */
function SecretOnce({ secret, close }: { secret: string; close: () => void }) {
  const command = `curl -H "Authorization: Bearer ${secret}" ${findServiceAddress()}/api/v1/folders/root`
  return (
    <Stack>
      <Alert color="yellow" title="Copy the token now. It is not shown again." />
      <CopyLine text={secret} testId="secret" />
      <Text size="sm">Try it:</Text>
      <CopyLine text={command} />
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          Done
        </Button>
      </Group>
    </Stack>
  )
}
