import { Button, Checkbox, Group, Radio, Select, Stack, Text, TextInput } from '@mantine/core'
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
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, errorMessage } from '../../api/call.ts'
import { queryOf } from '../../api/queries.ts'
import { CopyLine } from '../../shell/copy-line.tsx'
import { Dialog } from '../../shell/dialog.tsx'
import { folderOptions } from '../../shell/folder-options.ts'
import { FormDialog } from '../../shell/form.tsx'

const EVENTS = Object.entries(WEBHOOK_EVENTS) as [WebhookEventType, string][]

interface WebhookDialogProps {
  team: Membership
  /** The webhook to change; undefined for a new one. */
  webhook?: Webhook
  close: () => void
}

/** Adds a webhook and shows its secret, or changes one. */
export function WebhookDialog({ team, webhook, close }: WebhookDialogProps) {
  const [secret, setSecret] = useState<string>()
  const queryClient = useQueryClient()
  const limit = webhook?.folder ?? null
  const initial = {
    name: webhook?.name ?? '',
    url: webhook?.url ?? '',
    events: webhook?.events ?? (['document.solved'] as WebhookEventType[]),
    isLimited: limit !== null,
    folder: limit?.state === 'in_use' ? limit.id : null,
  }
  type Values = typeof initial
  /** Whether the webhook keeps a folder that cannot be chosen again, until another one is chosen. */
  const keepsFolder = ({ isLimited, folder }: Values) =>
    isLimited && folder === null && limit !== null && limit.state !== 'in_use'
  if (secret !== undefined) return <SecretDialog secret={secret} close={close} />
  return (
    <FormDialog
      title={webhook ? `Change “${webhook.name}”` : 'New webhook'}
      size="lg"
      gap="md"
      action={webhook ? 'Save' : 'Add webhook'}
      close={close}
      initial={initial}
      isIncomplete={(values) =>
        values.events.length === 0 || (values.isLimited && values.folder === null && !keepsFolder(values))
      }
      save={async (values) => {
        const { name, url, events, isLimited, folder } = values
        const body = {
          ...{ name, url, events },
          ...(!keepsFolder(values) && { folder: isLimited ? folder : null }),
        }
        if (!webhook) return (await call(createWebhook, { params: [team.id], body })).secret
        await call(changeWebhook, { params: [team.id, webhook.id], body })
        return undefined
      }}
      onSaved={async (created) => {
        await queryClient.invalidateQueries({ queryKey: [listWebhooks.path] })
        if (created === undefined) close()
        else setSecret(created)
      }}
    >
      {(form) => (
        <>
          <TextInput
            label="Name"
            description="What receives it, such as “Build server”"
            required
            data-autofocus
            {...form.text('name')}
          />
          <TextInput
            label="Address"
            description="A public address, over https"
            placeholder="https://example.org/meadow"
            required
            {...form.text('url')}
          />
          <Checkbox.Group label="It is told when" {...form.choice('events')}>
            <Stack gap={6} mt={6}>
              {EVENTS.map(([type, label]) => (
                <Checkbox key={type} value={type} label={label} />
              ))}
            </Stack>
          </Checkbox.Group>
          <Radio.Group
            label="Of which documents"
            value={form.values.isLimited ? 'folder' : 'team'}
            onChange={(chosen) => form.set({ isLimited: chosen === 'folder' })}
          >
            <Group mt={6}>
              <Radio value="team" label="Of the whole team" />
              <Radio value="folder" label="Only of one folder" />
            </Group>
          </Radio.Group>
          {form.values.isLimited && <FolderInput team={team} limit={limit} {...form.choice('folder')} />}
        </>
      )}
    </FormDialog>
  )
}

interface FolderInputProps {
  team: Membership
  /** What the webhook is limited to before it is changed. */
  limit: Webhook['folder']
  value: FolderId | null
  onChange: (folder: FolderId | null) => void
}

/** Chooses the folder to whose documents the events of a webhook are limited. */
function FolderInput({ team, limit, value, onChange }: FolderInputProps) {
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
      value={value}
      onChange={(chosen) => onChange(chosen as FolderId | null)}
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
    <Dialog opened onClose={close} title="The secret of the webhook" size="lg">
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
    </Dialog>
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
  const [secret, setSecret] = useState<string>()
  const queryClient = useQueryClient()
  if (secret !== undefined) return <SecretDialog secret={secret} close={close} />
  return (
    <FormDialog
      title={`New secret for “${webhook.name}”`}
      gap="md"
      action="Create the new secret"
      close={close}
      initial={{ overlap: '24' }}
      save={({ overlap }) => {
        const overlapHours = WEBHOOK_OVERLAPS.find((hours) => String(hours) === overlap)!
        return call(rotateWebhookSecret, { params: [team.id, webhook.id], body: { overlapHours } })
      }}
      onSaved={async (rotated) => {
        await queryClient.invalidateQueries({ queryKey: [listWebhooks.path] })
        setSecret(rotated.secret)
      }}
    >
      {({ choice }) => (
        <Radio.Group label="The former secret signs messages too" {...choice('overlap')}>
          <Stack gap={6} mt={6}>
            {WEBHOOK_OVERLAPS.map((hours) => (
              <Radio key={hours} value={String(hours)} label={OVERLAP_WORDS[hours]} />
            ))}
          </Stack>
        </Radio.Group>
      )}
    </FormDialog>
  )
}
