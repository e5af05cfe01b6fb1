import type { DocumentVersion } from '@meadow/contract/web'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

/** What the history of a document shows, as the address of its page says. */
export interface HistoryLocation {
  /** The version that is shown; undefined if only the list is shown. */
  versionId?: string
  /** What it is compared with: another version, or the document as it is now. */
  withId?: string
}

const HISTORY = 'history'
const WITH = 'with'
/** Stands for the document as it is now. */
export const NOW = 'now'

/** Reads `?history`, `?history=version` and `?history=version&with=now`. Returns undefined if the history is closed. */
export function readHistory(query: URLSearchParams): HistoryLocation | undefined {
  const versionId = query.get(HISTORY)
  if (versionId === null) return undefined
  const withId = query.get(WITH)
  return { ...(versionId !== '' && { versionId, ...(withId && { withId }) }) }
}

/** The query of a location in the history, or of the document without it. */
export function writeHistory(location: HistoryLocation | undefined): string {
  if (!location) return ''
  const { versionId = '', withId } = location
  const query = new URLSearchParams({ [HISTORY]: versionId, ...(withId && { [WITH]: withId }) })
  return `?${query}`
}

/** A version that was restored in this window. */
export interface Restored {
  version: DocumentVersion
  /** Undoes the restoring; undefined if the document was like that already. */
  undo: (() => void) | undefined
}

export interface DocumentHistory {
  /** The location in the history that the address of the page names, if any. */
  location: HistoryLocation | undefined
  /** Goes to another location, or out of the history. */
  go: (next: HistoryLocation | undefined) => void
  /** What was restored last, until the reader goes to another location. */
  restored: Restored | undefined
  setRestored: (restored: Restored | undefined) => void
}

/** Returns the history that the page shows. Only members read it, and not in a frame. */
export function useHistory(isShown: boolean): DocumentHistory {
  const { search } = useLocation()
  const navigate = useNavigate()
  const [restored, setRestored] = useState<Restored>()
  return {
    location: isShown ? readHistory(new URLSearchParams(search)) : undefined,
    go(next) {
      setRestored(undefined)
      void navigate({ search: writeHistory(next) })
    },
    restored,
    setRestored,
  }
}
