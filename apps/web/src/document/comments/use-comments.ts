import type { AppDocument, CommentAnchor, CommentThread } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { threadsQuery } from '../live/threads-query.ts'
import { useKeys } from '../use-keys.ts'

/** In the address of a document: the panel is open, with a thread or with the list of all. */
const COMMENT = 'comment'

/** The comments about a document, and what the page shows of them. */
export interface Comments {
  /** Undefined until they are loaded. */
  threads: readonly CommentThread[] | undefined
  error: Error | null
  retry: () => void
  /** How many threads have something that the reader has not seen. */
  unread: number
  isOpen: boolean
  /** The thread that is shown. Undefined: the list of all. */
  threadId: string | undefined
  /** Opens the panel, with a thread or with the list. */
  show: (threadId?: string) => void
  close: () => void
  /** Whether the next click says what a new comment is about. */
  isPlacing: boolean
  setPlacing: (isPlacing: boolean) => void
  /** What the comment that is being written is about. */
  anchor: CommentAnchor | undefined
  setAnchor: (anchor: CommentAnchor | undefined) => void
}

/** Undefined for those who are no members of the document's team. */
export function useComments(document: AppDocument): Comments | undefined {
  const isMember = document.role !== null
  const query = useQuery({ ...threadsQuery(document.id), enabled: isMember })
  const { search } = useLocation()
  const navigate = useNavigate()
  const [isPlacing, setPlacing] = useState(false)
  const [anchor, setAnchor] = useState<CommentAnchor>()
  const shown = new URLSearchParams(search).get(COMMENT)

  const go = (threadId: string | undefined) => {
    const next = new URLSearchParams(search)
    // Versions have no comments.
    for (const name of [COMMENT, 'history', 'with']) next.delete(name)
    if (threadId !== undefined) next.set(COMMENT, threadId)
    const text = next.toString()
    // Leading from thread to thread is not a step of the way back.
    void navigate({ search: text === '' ? '' : `?${text}` }, { replace: shown !== null })
  }
  const togglePlacing = () => {
    if (!isMember) return
    if (!isPlacing) {
      setAnchor(undefined)
      if (shown !== '') go('')
    }
    setPlacing(!isPlacing)
  }
  useKeys([], { comment: togglePlacing })
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    // Nothing else is to end with it.
    event.stopPropagation()
    setPlacing(false)
  })
  useEffect(() => {
    if (!isPlacing) return undefined
    const listen = (event: KeyboardEvent) => onKey(event)
    addEventListener('keydown', listen, true)
    return () => removeEventListener('keydown', listen, true)
  }, [isPlacing])

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
      setPlacing(false)
      go(threadId)
    },
    close() {
      setAnchor(undefined)
      setPlacing(false)
      go(undefined)
    },
    isPlacing,
    setPlacing: (next) => {
      if (next !== isPlacing) togglePlacing()
    },
    anchor,
    setAnchor(next) {
      setPlacing(false)
      setAnchor(next)
    },
  }
}
