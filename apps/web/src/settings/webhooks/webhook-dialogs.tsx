import { Alert, Button, Checkbox, Group, Modal, Radio, Select, Stack, Text, TextInput } from '@mantine/core'
import { type FolderId, WEBHOOK_EVENTS, WEBHOOK_OVERLAPS, type WebhookEventType } from '@meadow/contract'
import {
  changeWebhook,
  createWebhook,
  listWebhooks,
  type Membership,
  readFolderTree,
  rotateWebhookSecret,
  type Webhook,
} from '@meadow/contract/web'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, errorMessage } from '../../api/call.ts'
import { queryOf } from '../../api/queries.ts'
import { CopyLine } from '../../shell/copy-line.tsx'
import { folderOptions } from '../../shell/folder-options.ts'

const EVENTS = Object.entries(WEBHOOK_EVENTS) as [WebhookEventType, string][]

interface WebhookDialogProps {
  team: Membership
  /** The webhook to change; undefined for a new one. */
  webhook?: Webhook
  close: () => void
}

/** Adds a webhook and shows its secret, or changes one. */
export function WebhookDialog({ team, webhook, close }: WebhookDialogProps) {
  const [name, setName] = useState(webhook?.name ?? '')
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [events, setEvents] = useState<string[]>(webhook?.events ?? ['document.solved'])
  const limit = webhook?.folder ?? null
  const [isLimited, setIsLimited] = useState(limit !== null)
  const [folder, setFolder] = useState(limit?.state === 'in_use' ? limit.id : null)
  /** Whether the webhook keeps a folder that cannot be chosen again, until another one is chosen. */
  const keepsFolder = isLimited && folder === null && limit !== null && limit.state !== 'in_use'
  const queryClient = useQueryClient()
  const save = useMutation({
    mutationFn: async () => {
      const body = {
        ...{ name, url, events: events as WebhookEventType[] },
        ...(!keepsFolder && { folder: isLimited ? folder : null }),
      }
      if (!webhook) return (await call(createWebhook, { params: [team.id], body })).secret
      await call(changeWebhook, { params: [team.id, webhook.id], body })
      return undefined
    },
    onSuccess: async (secret) => {
      await queryClient.invalidateQueries({ queryKey: [listWebhooks.path] })
      if (secret === undefined) close()
    },
  })
  const isIncomplete = events.length === 0 || (isLimited && folder === null && !keepsFolder)
  if (save.data !== undefined) return <SecretDialog secret={save.data} close={close} />
  return (
    <Modal opened onClose={close} title={webhook ? `Change “${webhook.name}”` : 'New webhook'} size="lg">
      <Stack
        component="form"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Problem error={save.error} />
        <TextInput
          label="Name"
          description="What receives it, such as “Build server”"
          required
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <TextInput
          label="Address"
          description="A public address, over https"
          placeholder="https://example.org/meadow"
          required
          value={url}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
        />
        <Checkbox.Group label="It is told when" value={events} onChange={setEvents}>
          <Stack gap={6} mt={6}>
            {EVENTS.map(([type, label]) => (
              <Checkbox key={type} value={type} label={label} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Radio.Group
          label="Of which documents"
          value={isLimited ? 'folder' : 'team'}
          onChange={(chosen) => setIsLimited(chosen === 'folder')}
        >
          <Group mt={6}>
            <Radio value="team" label="Of the whole team" />
            <Radio value="folder" label="Only of one folder" />
          </Group>
        </Radio.Group>
        {isLimited && <FolderInput team={team} limit={limit} folder={folder} setFolder={setFolder} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending} disabled={isIncomplete}>
            {webhook ? 'Save' : 'Add webhook'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

interface FolderInputProps {
  team: Membership
  /** What the webhook is limited to before it is changed. */
  limit: Webhook['folder']
  folder: FolderId | null
  setFolder: (folder: FolderId | null) => void
}

/** Chooses the folder to whose documents the events of a webhook are limited. */
function FolderInput({ team, limit, folder, setFolder }: FolderInputProps) {
  const tree = useQuery(queryOf(readFolderTree, { params: [team.id] }))
  const below = folderOptions(tree.data?.folders ?? []).slice(1)
  return (
    <Select
      label="Folder"
      description="It is told of the documents that are in it and below at that time"
      placeholder={limit && limit.state !== 'in_use' ? describeLimit(limit) : undefined}
      searchable
      nothingFoundMessage={tree.isPending ? 'Loading' : 'No folder has that name'}
      error={tree.isError && errorMessage(tree.error)}
      data={below}
      value={folder}
      onChange={(chosen) => setFolder(chosen as FolderId | null)}
    />
  )
}

/** The folder that a webhook is limited to, in words. */
export function describeLimit({ name, state }: NonNullable<Webhook['folder']>): string {
  if (state === 'deleted') return 'A folder that was deleted'
  return state === 'in_bin' ? `“${name}”, which is in the bin` : `“${name}” and below`
}

/** Shows what messages are signed with. */
export function SecretDialog({ secret, close }: { secret: string; close: () => void }) {
  return (
    <Modal opened onClose={close} title="The secret of the webhook" size="lg">
      <Stack>
        <Text size="sm">
          Your receiver verifies with it that messages are from Meadow. Whoever has it can forge them.
        </Text>
        <CopyLine text={secret} testId="secret" />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Done
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

const OVERLAP_WORDS: Record<(typeof WEBHOOK_OVERLAPS)[number], string> = {
  0: 'No longer: it has become known',
  1: 'For an hour',
  24: 'For a day',
  168: 'For a week',
}

/** Gives a webhook a new secret, and shows it. */
export function RotateDialog({ team, webhook, close }: Required<WebhookDialogProps>) {
  const [overlap, setOverlap] = useState('24')
  const queryClient = useQueryClient()
  const rotate = useMutation({
    mutationFn: () => {
      const overlapHours = WEBHOOK_OVERLAPS.find((hours) => String(hours) === overlap)!
      return call(rotateWebhookSecret, { params: [team.id, webhook.id], body: { overlapHours } })
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [listWebhooks.path] }),
  })
  if (rotate.data) return <SecretDialog secret={rotate.data.secret} close={close} />
  return (
    <Modal opened onClose={close} title={`New secret for “${webhook.name}”`}>
      <Stack>
        <Problem error={rotate.error} />
        <Radio.Group label="The former secret signs messages too" value={overlap} onChange={setOverlap}>
          <Stack gap={6} mt={6}>
            {WEBHOOK_OVERLAPS.map((hours) => (
              <Radio key={hours} value={String(hours)} label={OVERLAP_WORDS[hours]} />
            ))}
          </Stack>
        </Radio.Group>
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button loading={rotate.isPending} onClick={() => rotate.mutate()}>
            Create the new secret
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function Problem({ error }: { error: Error | null }) {
  return (
    error && (
      <Alert color="red" role="alert">
        {errorMessage(error)}
      </Alert>
    )
  )
}
