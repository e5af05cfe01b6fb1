import { Text } from '@mantine/core'
import { ITEMS_AT_ONCE, priceSolves } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { count } from '../../shell/count.ts'
import { FormDialog } from '../../shell/form.tsx'
import { formatCredits } from '../../solve-state/format-credits.ts'
import type { BulkItem } from './folder-changes.ts'

interface SolveDialogProps {
  teamId: string
  documents: readonly BulkItem[]
  isOpen: boolean
  close: () => void
  /** Asks for the solves. */
  solve: () => Promise<unknown>
}

/** Says what solves of documents cost before they are asked for. */
export function SolveDialog({ teamId, documents, isOpen, close, solve }: SolveDialogProps) {
  const documentIds = documents.slice(0, ITEMS_AT_ONCE).map(({ id }) => id)
  const { data } = useQuery({
    queryKey: [priceSolves.path, documentIds],
    queryFn: ({ signal }) => call(priceSolves, { params: [teamId], body: { documentIds }, signal }),
    enabled: isOpen && documentIds.length > 0,
    // What they cost may have changed since the dialog was open last.
    staleTime: 0,
  })
  const what = count(documents.length, 'document')
  return (
    <FormDialog
      isOpen={isOpen}
      close={close}
      title={`Solve ${what}?`}
      action="Solve"
      initial={{}}
      save={solve}
    >
      <Text size="sm" role="status">
        {data ? describePrice(data, documentIds.length) : 'Looking up what it costs …'}
      </Text>
    </FormDialog>
  )
}

interface Price {
  creditTenths: number
  unknown: number
  leftTenths: number
}

function describePrice({ creditTenths, unknown, leftTenths }: Price, count: number): string {
  const known =
    unknown === count ? [] : [`The last solves cost ${formatCredits(creditTenths)} credits in all.`]
  const rest =
    unknown === 0
      ? []
      : [
          `${unknown === count ? 'What they cost' : `What ${unknown} of them cost`} is not known: they were never solved.`,
        ]
  return [...known, ...rest, `${formatCredits(leftTenths)} credits are left.`].join(' ')
}
