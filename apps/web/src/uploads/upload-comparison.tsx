import { Button } from '@mantine/core'
import { type AppResponse, listVersions } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { queryOf } from '../api/queries.ts'
import { type HistoryPlace, NOW, writeHistory } from '../document/history/history-place.ts'
import { lazyDialog } from '../shell/lazy-dialog.tsx'

/** What a file would change in the document that it would replace. */
export const LazyDiffDialog = lazyDialog(
  () => import('./upload-diff-dialog.tsx'),
  'UploadDiffDialog',
  'What would change',
)

/** Leads to the comparison of a document that was just replaced with what it was before. */
export function CompareWithBefore({ documentId }: { documentId: string }) {
  const { data } = useQuery({
    ...queryOf(listVersions, { params: [documentId] }),
    // The list is that of this moment, when the newest version is what was before the file.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const place = data && findReplacement(data)
  if (!place) return null
  return (
    <Button
      size="compact-xs"
      variant="light"
      component={Link}
      to={{ pathname: `/documents/${documentId}`, search: writeHistory(place) }}
    >
      Compare with before
    </Button>
  )
}

/**
 * Finds what a document was and what it is, just after it was replaced. What it is may not be kept as a version yet.
 */
function findReplacement({
  current,
  versions: [newest, older],
}: AppResponse<typeof listVersions>): HistoryPlace | undefined {
  if (current) return newest && { versionId: newest.id, withId: NOW }
  return newest && older && { versionId: older.id, withId: newest.id }
}
