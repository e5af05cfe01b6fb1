import { Badge, Button, Code, Group, Loader, Select, Stack, Table, Text, VisuallyHidden } from '@mantine/core'
import { DELIVERY_LOG_DAYS, DELIVERY_STATES, type DeliveryState } from '@meadow/contract'
import {
  type AppResponse,
  type Delivery,
  listDeliveries,
  listWebhooks,
  type Membership,
  replayDelivery,
  replayFailed,
  type Webhook,
} from '@meadow/contract/web'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { Failure } from '../../shell/failure.tsx'
import { Problem } from '../../shell/form.tsx'
import { OlderButton } from '../../shell/older-button.tsx'
import { When } from '../../shell/when.tsx'

const COLOURS = { waiting: 'gray', delivered: 'meadow', failed: 'red' } as const

/** How often waiting deliveries are read again, in milliseconds. */
const POLL_MS = 2000

/** The deliveries to a webhook, each with its last attempt. */
export function DeliveryLog({ team, webhook }: { team: Membership; webhook: Webhook }) {
  const [state, setState] = useState<DeliveryState | null>(null)
  const params = [team.id, webhook.id] as const
  const queryClient = useQueryClient()
  const pages = useInfiniteQuery({
    queryKey: [listDeliveries.path, webhook.id, state],
    queryFn: ({ pageParam, signal }) =>
      call(listDeliveries, {
        params,
        query: { ...(state && { state }), ...(pageParam && { after: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last: AppResponse<typeof listDeliveries>) => last.next,
    refetchInterval: POLL_MS,
  })
  const refresh = () =>
    Promise.all(
      [listDeliveries.path, listWebhooks.path].map((name) =>
        queryClient.invalidateQueries({ queryKey: [name] }),
      ),
    )
  const replay = useMutation({
    mutationFn: (id: string) => call(replayDelivery, { params: [...params, id] }),
    onSettled: refresh,
  })
  const replayAll = useMutation({
    mutationFn: () => {
      const since = new Date(Date.now() - DELIVERY_LOG_DAYS * 86_400_000).toISOString()
      return call(replayFailed, { params, body: { since } })
    },
    onSettled: refresh,
  })
  const error = replay.error ?? replayAll.error
  const deliveries = pages.data?.pages.flatMap((page) => page.deliveries)
  const mayReplay = webhook.state === 'enabled'
  return (
    <Stack gap="xs">
      <Group align="end">
        <Select
          label="Which deliveries"
          placeholder="All"
          clearable
          data={[...DELIVERY_STATES]}
          value={state}
          onChange={(chosen) => setState(chosen as DeliveryState | null)}
        />
        {mayReplay && (
          <Button variant="default" loading={replayAll.isPending} onClick={() => replayAll.mutate()}>
            Deliver failed again
          </Button>
        )}
      </Group>
      <Problem error={error} />
      {replayAll.data && <Text size="sm">{replayAll.data.replayed} are delivered again.</Text>}
      {pages.isLoadingError && <Failure error={pages.error} retry={pages.refetch} />}
      {pages.isPending && <Loader aria-label="Loading" />}
      {deliveries?.length === 0 && <Text>There are no such deliveries.</Text>}
      {deliveries && deliveries.length > 0 && (
        <div className="stacked-table">
          <Table verticalSpacing="xs" aria-label={`Deliveries to ${webhook.name}`}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Event</Table.Th>
                <Table.Th>When</Table.Th>
                <Table.Th>State</Table.Th>
                <Table.Th>Last attempt</Table.Th>
                <Table.Th>
                  <VisuallyHidden>Actions</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {deliveries.map((delivery) => (
                <DeliveryRow
                  key={delivery.id}
                  delivery={delivery}
                  replay={mayReplay ? () => replay.mutate(delivery.id) : undefined}
                />
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      <OlderButton pages={pages}>Older deliveries</OlderButton>
    </Stack>
  )
}

interface DeliveryRowProps {
  delivery: Delivery
  /** Sends the delivery again; undefined if the webhook is not enabled. */
  replay: (() => void) | undefined
}

function DeliveryRow({ delivery, replay }: DeliveryRowProps) {
  const { id, type, about, state, createdAt, nextAt, attempts } = delivery
  const [last] = attempts
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm">{type}</Text>
        {about && (
          <Text size="xs" c="dimmed">
            {about}
          </Text>
        )}
        <Code>{id}</Code>
      </Table.Td>
      <Table.Td data-label="When">
        <When at={createdAt} />
      </Table.Td>
      <Table.Td data-label="State">
        <Badge size="sm" variant="light" color={COLOURS[state]}>
          {state}
        </Badge>
        {nextAt && attempts.length > 0 && (
          <Text size="xs" c="dimmed">
            again <When at={nextAt} />
          </Text>
        )}
      </Table.Td>
      <Table.Td maw={280} data-label="Last attempt">
        {last && (
          <>
            <Text size="sm">
              {last.status ?? 'no answer'}, {last.durationMs} ms
            </Text>
            {last.error && <Text size="xs">{last.error}</Text>}
            {last.response && (
              <Text size="xs" c="dimmed" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
                {last.response}
              </Text>
            )}
          </>
        )}
      </Table.Td>
      <Table.Td>
        {replay && (
          <Button size="xs" variant="default" aria-label={`Deliver again: ${id}`} onClick={replay}>
            Deliver again
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
