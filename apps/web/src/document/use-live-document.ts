import { type LiveDocument, openLive } from '@meadow/client/live'
import { useEffect, useState } from 'react'
import { findServiceAddress } from '../api/public-path.ts'

/** A document that is being opened, or is open. */
export interface OpeningDocument {
  live: LiveDocument | undefined
  /** Why it could not be opened. */
  problem: unknown
}

/** Opens a document live, for as long as the component is there and `isAllowed` holds. */
export function useLiveDocument(documentId: string, isAllowed: boolean): OpeningDocument {
  const [live, setLive] = useState<LiveDocument>()
  const [problem, setProblem] = useState<unknown>()
  useEffect(() => {
    if (!isAllowed) return undefined
    let isGone = false
    let opened: LiveDocument | undefined
    openLive({ address: findServiceAddress(), documentId }).then(
      (document) => {
        opened = document
        if (isGone) document.close()
        else setLive(document)
      },
      (error) => {
        if (!isGone) setProblem(error)
      },
    )
    return () => {
      isGone = true
      opened?.close()
      setLive(undefined)
    }
  }, [documentId, isAllowed])
  return { live, problem }
}
