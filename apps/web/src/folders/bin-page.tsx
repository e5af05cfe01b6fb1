import { Button, Group, Stack, Table, Text, Title } from '@mantine/core'
import {
  type AppResponse,
  type BinItem,
  deleteBinItem,
  emptyBin,
  listBin,
  type Membership,
  restoreBinItem,
} from '@meadow/contract/web'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call, errorMessage } from '../api/call.ts'
import { ConfirmDialog } from '../shell/confirm-dialog.tsx'
import { useKeptFocus } from '../shell/dialog.tsx'
import { Failure } from '../shell/failure.tsx'
import { Loading } from '../shell/loading.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { OlderButton } from '../shell/older-button.tsx'
import { useTeam } from '../shell/use-me.ts'
import { useTitle } from '../shell/use-title.ts'
import { When } from '../shell/when.tsx'
import { useFolderChange } from './items/folder-changes.ts'

export function BinPage() {
  const team = useTeam()
  useTitle('Bin')
  return team && team.role !== 'viewer' ? <Bin team={team} /> : <NotFound />
}

function Bin({ team }: { team: Membership }) {
  const [isEmptying, setIsEmptying] = useState(false)
  const page = useRef<HTMLDivElement>(null)
  const kept = useKeptFocus(page)
  const pages = useInfiniteQuery({
    queryKey: [listBin.path, team.id],
    queryFn: ({ pageParam, signal }) =>
      call(listBin, { params: [team.id], query: pageParam ? { after: pageParam } : {}, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last: AppResponse<typeof listBin>) => last.next,
  })
  const empty = useFolderChange(() => call(emptyBin, { params: [team.id] }))
  const items = pages.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Stack maw={960} mx="auto" ref={page} tabIndex={-1} {...kept}>
      <Group justify="space-between">
        <Title order={1} size="h2">
          Bin
        </Title>
        {team.role === 'owner' && items.length > 0 && (
          <Button color="red" variant="light" onClick={() => setIsEmptying(true)}>
            Empty the bin
          </Button>
        )}
      </Group>
      {pages.isError && <Failure error={pages.error} retry={pages.refetch} />}
      {pages.isPending && <Loading />}
      {pages.isSuccess && items.length === 0 && (
        <Text c="dimmed" ta="center" py="xl" role="status">
          The bin is empty.
        </Text>
      )}
      {items.length > 0 && (
        <Table verticalSpacing="sm" aria-label="Deleted items">
          <Table.Tbody>
            {items.map((item) => (
              <BinRow key={item.id} item={item} isOwner={team.role === 'owner'} />
            ))}
          </Table.Tbody>
        </Table>
      )}
      <OlderButton pages={pages} w="fit-content">
        Show older items
      </OlderButton>
      <ConfirmDialog
        isOpen={isEmptying}
        close={() => setIsEmptying(false)}
        title="Empty the bin?"
        text="Everything in the bin is deleted permanently. This cannot be undone."
        action="Empty the bin"
        run={() => empty.mutateAsync(undefined)}
      />
    </Stack>
  )
}

function BinRow({ item, isOwner }: { item: BinItem; isOwner: boolean }) {
  const [isAsking, setIsAsking] = useState(false)
  const restore = useFolderChange(() => call(restoreBinItem, { params: [item.id] }))
  const remove = useFolderChange(() => call(deleteBinItem, { params: [item.id] }))
  return (
    <Table.Tr>
      <Table.Td className="long-text">
        <Text fw={500}>{item.name}</Text>
        <Text size="sm" c="dimmed">
          {item.kind !== 'folder'
            ? item.kind
            : `folder with ${item.documents} ${item.documents === 1 ? 'document' : 'documents'}`}{' '}
          ·{' '}
          {item.folder
            ? `from ${item.folder.name}`
            : 'its folder was deleted: it is restored to the root folder'}
        </Text>
        {restore.isError && (
          <Text size="sm" c="red" role="alert">
            {errorMessage(restore.error)}
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="xs">
        <When at={item.deletedAt} />
        <Text size="xs" c="dimmed">
          {item.deletedBy?.name}
        </Text>
      </Table.Td>
      <Table.Td ta="right">
        <Group gap="xs" justify="flex-end">
          <Button
            size="xs"
            variant="light"
            aria-label={`Restore ${item.name}`}
            loading={restore.isPending}
            onClick={() => restore.mutate(undefined)}
          >
            Restore
          </Button>
          {isOwner && (
            <Button
              size="xs"
              variant="subtle"
              color="red"
              aria-label={`Delete ${item.name} permanently`}
              onClick={() => setIsAsking(true)}
            >
              Delete
            </Button>
          )}
        </Group>
        <ConfirmDialog
          isOpen={isAsking}
          close={() => setIsAsking(false)}
          title={`Delete “${item.name}” permanently?`}
          text="This cannot be undone."
          action="Delete permanently"
          run={() => remove.mutateAsync(undefined)}
        />
      </Table.Td>
    </Table.Tr>
  )
}
