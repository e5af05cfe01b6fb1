import type { AppDocument, CommentAnchor, CommentThread } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useKeys } from '../keys/use-keys.ts'
import { threadsQuery } from '../live/threads-query.ts'

/** The parameter of the address that opens the panel, with the thread that it names or with the list of all threads. */
const COMMENT = 'comment'

/** The comments about a document, and what the page shows of them. */
export interface Comments {
  /** The threads of the document; undefined until they are loaded. */
  threads: readonly CommentThread[] | undefined
  error: Error | null
  retry: () => void
  /** How many threads have something that the reader has not seen. */
  unread: number
  isOpen: boolean
  /** The thread that is shown; undefined for the list of all threads. */
  threadId: string | undefined
  /** Opens the panel, with a thread or with the list. */
  show: (threadId?: string) => void
  close: () => void
  /** Whether the next click says what a new comment is about. */
  isAnchoring: boolean
  setAnchoring: (isAnchoring: boolean) => void
  /** What the comment that is being written is about. */
  anchor: CommentAnchor | undefined
  setAnchor: (anchor: CommentAnchor | undefined) => void
}

/** Returns the comments about a document; undefined for readers who are not members of its team. */
export function useComments(document: AppDocument): Comments | undefined {
  const isMember = document.role !== null
  const query = useQuery({ ...threadsQuery(document.id), enabled: isMember })
  const { search } = useLocation()
  const navigate = useNavigate()
  const [isAnchoring, setAnchoring] = useState(false)
  const [anchor, setAnchor] = useState<CommentAnchor>()
  const shown = new URLSearchParams(search).get(COMMENT)

  const go = (threadId: string | undefined) => {
    const next = new URLSearchParams(search)
    // Versions have no comments, and a node that stayed in the address would be selected again.
    for (const name of [COMMENT, 'history', 'with', 'node']) next.delete(name)
    if (threadId !== undefined) next.set(COMMENT, threadId)
    const text = next.toString()
    // Going from thread to thread adds no step to the browser's history.
    void navigate({ search: text === '' ? '' : `?${text}` }, { replace: shown !== null })
  }
  const toggleAnchoring = () => {
    if (!isMember) return
    if (!isAnchoring) {
      setAnchor(undefined)
      if (shown !== '') go('')
    }
    setAnchoring(!isAnchoring)
  }
  useKeys({ comment: toggleAnchoring })
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    // Escape ends only the choice of an anchor.
    event.stopPropagation()
    setAnchoring(false)
  })
  useEffect(() => {
    if (!isAnchoring) return undefined
    const listen = (event: KeyboardEvent) => onKey(event)
    addEventListener('keydown', listen, true)
    return () => removeEventListener('keydown', listen, true)
  }, [isAnchoring])

  if (!isMember) return undefined
  const threads = query.data?.threads
  return {
    threads,
    error: query.error,
    retry: () => void query.refetch(),
    unread: threads?.filter(({ unread }) => unread > 0).length ?? 0,
    isOpen: shown !== null,
    threadId: shown || undefined,
    show(threadId = '') {
      setAnchor(undefined)
      setAnchoring(false)
      go(threadId)
    },
    close() {
      setAnchor(undefined)
      setAnchoring(false)
      go(undefined)
    },
    isAnchoring,
    setAnchoring: (next) => {
      if (next !== isAnchoring) toggleAnchoring()
    },
    anchor,
    setAnchor(next) {
      setAnchoring(false)
      setAnchor(next)
    },
  }
}
