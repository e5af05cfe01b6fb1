import { useLocation, useNavigate } from 'react-router'

/** What the history of a document shows, as the address of its page says. */
export interface HistoryPlace {
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
export function readHistory(query: URLSearchParams): HistoryPlace | undefined {
  const versionId = query.get(HISTORY)
  if (versionId === null) return undefined
  const withId = query.get(WITH)
  return { ...(versionId !== '' && { versionId, ...(withId && { withId }) }) }
}

/** The query of a place in the history, or of the document without it. */
export function writeHistory(place: HistoryPlace | undefined): string {
  if (!place) return ''
  const { versionId = '', withId } = place
  const query = new URLSearchParams({ [HISTORY]: versionId, ...(withId && { [WITH]: withId }) })
  return `?${query}`
}

/** The place in the history that the address of the page names, if any, and the way to others. */
export function useHistoryPlace() {
  const { search } = useLocation()
  const navigate = useNavigate()
  const place = readHistory(new URLSearchParams(search))
  return { place, go: (next: HistoryPlace | undefined) => void navigate({ search: writeHistory(next) }) }
}
