import { Alert, Badge, Button, Code, Group, Stack, Text } from '@mantine/core'
import { WEBHOOK_EVENTS } from '@meadow/contract'
import {
  changeWebhook,
  listDeliveries,
  listWebhooks,
  type Membership,
  removeWebhook,
  showWebhookSecret,
  testWebhook,
  type Webhook,
} from '@meadow/contract/web'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { queryOf } from '../../api/queries.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { Failure } from '../../shell/failure.tsx'
import { Problem } from '../../shell/form.tsx'
import { IconPlus } from '../../shell/icons.ts'
import { Loading } from '../../shell/loading.tsx'
import { When } from '../../shell/when.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { describeLimit, RotateDialog, SecretDialog, WebhookDialog } from './webhook-dialogs.tsx'

/** The addresses that events of the team are sent to. For owners. */
export function WebhooksSection({ team }: { team: Membership }) {
  const [isAdding, setIsAdding] = useState(false)
  const webhooks = useQuery(queryOf(listWebhooks, { params: [team.id] }))
  if (webhooks.isLoadingError) return <Failure error={webhooks.error} retry={webhooks.refetch} />
  return (
    <Stack>
      <Group justify="space-between" align="start">
        <Text c="dimmed" maw={560}>
          Your programs are told when something happens to a document of this team: Meadow sends a signed
          request to an address of yours.
        </Text>
        <Button leftSection={<IconPlus size={16} />} onClick={() => setIsAdding(true)}>
          New webhook
        </Button>
      </Group>
      {isAdding && <WebhookDialog team={team} close={() => setIsAdding(false)} />}
      {webhooks.isPending && <Loading />}
      {webhooks.data?.webhooks.length === 0 && <Text>There are no webhooks yet.</Text>}
      {webhooks.data?.webhooks.map((webhook) => (
        <WebhookCard key={webhook.id} team={team} webhook={webhook} />
      ))}
    </Stack>
  )
}

type Opened = 'edit' | 'rotate' | 'secret' | 'remove' | 'log'

function WebhookCard({ team, webhook }: { team: Membership; webhook: Webhook }) {
  const { id, name, url, events, folder, state, reason, failingSince, lastDeliveredAt, waiting } = webhook
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: [listWebhooks.path] })
  const enable = useMutation({
    mutationFn: () => call(changeWebhook, { params: [team.id, id], body: { enabled: state !== 'enabled' } }),
    onSettled: refresh,
  })
  const sendTest = useMutation({
    mutationFn: () => call(testWebhook, { params: [team.id, id] }),
    onSuccess: () => {
      setOpened('log')
      return queryClient.invalidateQueries({ queryKey: [listDeliveries.path] })
    },
  })
  const secret = useMutation({
    mutationFn: () => call(showWebhookSecret, { params: [team.id, id] }),
    onSuccess: () => setOpened('secret'),
  })
  const error = enable.error ?? sendTest.error ?? secret.error
  return (
    <Stack component="section" aria-label={`Webhook ${name}`} gap="xs" py="sm">
      <Group gap="xs">
        <Text fw={500}>{name}</Text>
        <StateBadge webhook={webhook} />
        {waiting > 0 && <Text size="xs">{waiting} waiting</Text>}
      </Group>
      <Code style={{ overflowWrap: 'anywhere' }}>{url}</Code>
      <Text size="sm">{events.map((event) => WEBHOOK_EVENTS[event]).join('; ')}</Text>
      {folder && <Text size="sm">Only in: {describeLimit(folder)}</Text>}
      <Text size="xs" c="dimmed">
        Last delivered: {lastDeliveredAt ? <When at={lastDeliveredAt} /> : 'never'}
      </Text>
      {reason && (
        <Alert color="red" title="This webhook was ended">
          {reason}
        </Alert>
      )}
      {state === 'enabled' && failingSince && (
        <Alert color="yellow" title="Deliveries fail at the moment">
          Nothing was delivered since <When at={failingSince} />. The log says why.
        </Alert>
      )}
      {folder && folder.state !== 'in_use' && (
        <Alert color="yellow" title="This webhook is told of nothing">
          {folder.state === 'in_bin'
            ? 'Its folder is in the bin. Restore the folder, or change the webhook.'
            : 'Its folder was deleted. Choose another one, or all documents of the team.'}
        </Alert>
      )}
      <Problem error={error} />
      <Group gap={6}>
        {state === 'enabled' && (
          <Action
            label="Send a test"
            name={name}
            pending={sendTest.isPending}
            run={() => sendTest.mutate()}
          />
        )}
        <Action
          label={opened === 'log' ? 'Close the log' : 'Log'}
          name={name}
          run={() => setOpened(opened === 'log' ? undefined : 'log')}
        />
        <Action label="Change" name={name} run={() => setOpened('edit')} />
        <Action label="Show the secret" name={name} pending={secret.isPending} run={() => secret.mutate()} />
        <Action label="New secret" name={name} run={() => setOpened('rotate')} />
        <Action
          label={state === 'enabled' ? 'Disable' : 'Enable'}
          name={name}
          pending={enable.isPending}
          run={() => enable.mutate()}
        />
        <Button
          size="xs"
          variant="light"
          color="red"
          aria-label={`Remove ${name}`}
          onClick={() => setOpened('remove')}
        >
          Remove
        </Button>
      </Group>
      {opened === 'log' && <DeliveryLog team={team} webhook={webhook} />}
      {opened === 'edit' && <WebhookDialog team={team} webhook={webhook} close={close} />}
      {opened === 'rotate' && <RotateDialog team={team} webhook={webhook} close={close} />}
      {opened === 'secret' && secret.data && <SecretDialog secret={secret.data.secret} close={close} />}
      <ConfirmDialog
        isOpen={opened === 'remove'}
        close={close}
        title={`Remove “${name}”?`}
        text="It is told of nothing any more, and its log is deleted. This cannot be undone."
        action="Remove"
        run={() => call(removeWebhook, { params: [team.id, id] }).finally(refresh)}
      />
    </Stack>
  )
}

function StateBadge({ webhook: { state, failingSince } }: { webhook: Webhook }) {
  const isFailing = state === 'enabled' && failingSince !== null
  const colour = state === 'ended' ? 'red' : isFailing ? 'yellow' : state === 'enabled' ? 'meadow' : 'gray'
  return (
    <Badge size="sm" variant="light" color={colour}>
      {isFailing ? 'failing' : state}
    </Badge>
  )
}

interface ActionProps {
  label: string
  /** The name of the webhook. */
  name: string
  pending?: boolean
  run: () => void
}

function Action({ label, name, pending = false, run }: ActionProps) {
  return (
    <Button size="xs" variant="default" aria-label={`${label}: ${name}`} loading={pending} onClick={run}>
      {label}
    </Button>
  )
}
