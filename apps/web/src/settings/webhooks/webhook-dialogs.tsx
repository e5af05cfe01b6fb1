import { Alert, Button, Checkbox, Group, Modal, Radio, Stack, Text, TextInput } from '@mantine/core'
import { WEBHOOK_EVENTS, WEBHOOK_OVERLAPS, type WebhookEventType } from '@meadow/contract'
import {
  changeWebhook,
  createWebhook,
  listWebhooks,
  type Membership,
  rotateWebhookSecret,
  type Webhook,
} from '@meadow/contract/web'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, errorMessage } from '../../api/call.ts'
import { CopyLine } from '../../shell/copy-line.tsx'

const EVENTS = Object.entries(WEBHOOK_EVENTS) as [WebhookEventType, string][]

interface WebhookDialogProps {
  team: Membership
  /** Undefined: a new one. */
  webhook?: Webhook
  close: () => void
}

/** Adds a webhook and shows its secret, or changes one. */
export function WebhookDialog({ team, webhook, close }: WebhookDialogProps) {
  const [name, setName] = useState(webhook?.name ?? '')
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [events, setEvents] = useState<string[]>(webhook?.events ?? ['document.solved'])
  const queryClient = useQueryClient()
  const save = useMutation({
    mutationFn: async () => {
      const body = { name, url, events: events as WebhookEventType[] }
      if (!webhook) return (await call(createWebhook, { params: [team.id], body })).secret
      await call(changeWebhook, { params: [team.id, webhook.id], body })
      return undefined
    },
    onSuccess: async (secret) => {
      await queryClient.invalidateQueries({ queryKey: [listWebhooks.name] })
      if (secret === undefined) close()
    },
  })
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
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending} disabled={events.length === 0}>
            {webhook ? 'Save' : 'Add webhook'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
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
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [listWebhooks.name] }),
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
