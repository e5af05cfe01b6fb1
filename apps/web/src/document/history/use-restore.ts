import { type DocumentVersion, restoreVersion } from '@meadow/contract/web'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { notify } from '../../shell/notices.tsx'
import type { LiveSession } from '../live/live-session.ts'

/**
 * Restores a version as one edit of this window, which undo takes back. Before it, the server keeps the document as it is
 * now as a version. `onRestored` gets whether the document has another imported file since, which undo does not take back.
 */
export function useRestore(
  documentId: string,
  live: LiveSession | undefined,
  onRestored: (version: DocumentVersion, changedFile: boolean) => void,
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (version: DocumentVersion) => {
      const { content, changedFile } = await call(restoreVersion, {
        params: [documentId, version.id],
        body: { appliedBy: 'caller' },
      })
      if (content) live?.replace(content)
      return { version, changedFile }
    },
    onError: notify,
    onSuccess: async ({ version, changedFile }) => {
      onRestored(version, changedFile)
      // Also of the imported file: its facts, and the contents of clusters.
      await queryClient.invalidateQueries()
    },
  })
}
