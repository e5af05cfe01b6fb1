import { Anchor, Group, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { type AppResponse, type CreditEntry, listCredits, type Membership } from '@meadow/contract/web'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call } from '../../api/call.ts'
import { Failure } from '../../shell/failure.tsx'
import { Loading } from '../../shell/loading.tsx'
import { OlderButton } from '../../shell/older-button.tsx'
import { When } from '../../shell/when.tsx'
import { formatCredits } from '../../solve-state/format-credits.ts'
import { CreditUse } from './credit-use.tsx'

/** The remaining credits, and the solves that spent them. */
export function CreditsSection({ team }: { team: Membership }) {
  const pages = useInfiniteQuery({
    queryKey: [listCredits.path, team.id],
    queryFn: ({ pageParam, signal }) =>
      call(listCredits, { params: [team.id], query: pageParam ? { after: pageParam } : {}, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last: AppResponse<typeof listCredits>) => last.next,
  })
  if (pages.isLoadingError) return <Failure error={pages.error} retry={pages.refetch} />
  const [first] = pages.data?.pages ?? []
  if (!first) return <Loading />
  const entries = pages.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <Stack>
      <Group>
        <Figure label="Credits left" value={first.left} />
        <Figure label="Spent this month" value={first.spentThisMonth} />
      </Group>
      <Text c="dimmed" size="sm">
        A credit is a second of the solver’s processor time. A solve costs a tenth of a credit for each tenth
        of a second that it began, whether somebody asked for it or it followed from an edit or from opening a
        document. Reading through the API is free. The operator of this server adds credits.
      </Text>
      <CreditUse team={team} />
      {entries.length > 0 && (
        <Title order={2} size="h4">
          Every solve and addition
        </Title>
      )}
      {entries.length > 0 && (
        <Table.ScrollContainer minWidth={280}>
          <Table aria-label="Credit history">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>When</Table.Th>
                <Table.Th>What</Table.Th>
                <Table.Th ta="right">Took</Table.Th>
                <Table.Th ta="right">Credits</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {entries.map((entry) => (
                <EntryRow key={`${entry.at}-${entry.solve?.solutionId}`} entry={entry} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <OlderButton pages={pages} w="fit-content">
        Show older entries
      </OlderButton>
    </Stack>
  )
}

function Figure({ label, value }: { label: string; value: number }) {
  return (
    <Paper withBorder p="md" miw={160}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz={28} fw={600}>
        {formatCredits(value)}
      </Text>
    </Paper>
  )
}

function EntryRow({ entry: { at, tenths, solve } }: { entry: CreditEntry }) {
  return (
    <Table.Tr>
      <Table.Td>
        <When at={at} />
      </Table.Td>
      <Table.Td>
        {!solve && 'Added by the operator'}
        {solve && (
          <>
            {solve.state === 'solved' ? 'Solved ' : 'Failed solve of '}
            {solve.isThere ? (
              <Anchor
                component={Link}
                inherit
                underline="always"
                className="long-text"
                to={`/documents/${solve.documentId}`}
              >
                {solve.documentName}
              </Anchor>
            ) : (
              solve.documentName || 'a document that was deleted permanently'
            )}
            {solve.cause === 'automatic' && ', automatically'}
          </>
        )}
      </Table.Td>
      <Table.Td ta="right">{solve && `${(solve.durationMs / 1000).toFixed(1)} s`}</Table.Td>
      <Table.Td ta="right">{tenths > 0 ? `+${formatCredits(tenths)}` : formatCredits(tenths)}</Table.Td>
    </Table.Tr>
  )
}
