import { type DocumentVersion, restoreVersion } from '@meadow/contract/web'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { notify } from '../../shell/notices.tsx'
import type { LiveSession } from '../live/live-session.ts'
import type { Restored } from '../state/history-location.ts'

/**
 * Restores a version as one edit of this window, which undo takes back. Before that, the server keeps the present
 * document as a version, with the imported file that undo has to bring back. Others who have the document open get a
 * notice.
 */
export function useRestore(
  documentId: string,
  live: LiveSession | undefined,
  onRestored: (restored: Restored) => void,
) {
  const queryClient = useQueryClient()
  const restore = ({ id }: DocumentVersion) =>
    call(restoreVersion, { params: [documentId, id], body: { appliedBy: 'caller' } })
  return useMutation({
    mutationFn: async (version: DocumentVersion) => {
      const { content, changedFile, before } = await restore(version)
      let last = Promise.resolve()
      const takeFileOf = (of: DocumentVersion) => {
        // Restores run one after the other, so that the last undo or redo decides.
        last = last
          .then(() => restore(of))
          .then(() => queryClient.invalidateQueries())
          .catch(notify)
      }
      const follow = (step: 'undo' | 'redo') => takeFileOf(step === 'undo' ? before : version)
      const isStep = content && live?.replace(content, changedFile ? follow : undefined)
      if (isStep || changedFile)
        live?.show({ restored: { versionAt: version.at, at: new Date().toISOString() } })
      if (live && isStep) return { version, undo: live.undo }
      return { version, undo: changedFile ? () => takeFileOf(before) : undefined }
    },
    onError: notify,
    onSuccess: async (restored) => {
      onRestored(restored)
      // The imported file may have changed, with its facts and the contents of clusters, so all queries are invalid.
      await queryClient.invalidateQueries()
    },
  })
}
