import { type LiveDocument, type OwnPresence, openLive } from '@meadow/client/live'
import type { GraphContent, Presence } from '@meadow/contract'
import { type AppDocument, readAppDocument, readEditorSolution } from '@meadow/contract/web'
import { createUndoManager } from '@meadow/document/live'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { Doc } from 'yjs'
import { findServiceAddress } from '../../api/public-path.ts'
import { createObservable, type Observed } from './observed.ts'

/** How the live connection and one's own history stand. */
export interface LiveStatus {
  isConnected: boolean
  canUndo: boolean
  canRedo: boolean
}

/** A document that is open to be edited, as the editor needs it. The same object for as long as it is open. */
export interface LiveSession {
  doc: Doc
  /** Marks the edits of this person. */
  origin: unknown
  /** False for viewers. */
  mayEdit: boolean
  status: Observed<LiveStatus>
  /** The others who have it open, by connection. */
  others: Observed<ReadonlyMap<number, Presence>>
  undo(): void
  redo(): void
  show(presence: Omit<Presence, 'user'>): void
}

/** Marks what this window edits, for undo. */
const ORIGIN = Symbol('this window')

/** A cursor looks alive at this pace, and costs the server little. */
const PRESENCE_MS = 60

export interface LiveState {
  session: LiveSession
  content: GraphContent
  /** What became of edits that the server refused: a sentence. */
  notice: string | undefined
  dismiss: () => void
}

/** Reads an open document again whenever it changes, and tells how its connection stands. */
export function useLiveSession(live: LiveDocument, { role }: AppDocument): LiveState {
  const queryClient = useQueryClient()
  const [notice, setNotice] = useState<string>()
  const [content, setContent] = useState<GraphContent>(() => live.read())
  const [status] = useState(() =>
    createObservable<LiveStatus>({ isConnected: true, canUndo: false, canRedo: false }),
  )
  const [others] = useState(() => createObservable<ReadonlyMap<number, Presence>>(new Map()))
  /** Another one after each reset. */
  const [doc, setDoc] = useState(live.doc)

  const undo = useMemo(() => createUndoManager(doc, ORIGIN), [doc])

  useEffect(() => {
    let frame = 0
    const stand = () =>
      status.set({
        isConnected: live.status === 'open',
        canUndo: undo.canUndo(),
        canRedo: undo.canRedo(),
      })
    const meet = () =>
      others.set(new Map(live.people.filter(({ isMe }) => !isMe).map((person) => [person.clientId, person])))
    // However many edits arrive, the page is drawn once a frame.
    const update = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0
        setContent(live.read())
        stand()
      })
    }
    setContent(live.read())
    stand()
    meet()
    const ends = [
      live.on('change', update),
      live.on('people', meet),
      live.on('status', stand),
      live.on('solve', () => {
        void queryClient.invalidateQueries({ queryKey: [readEditorSolution.name] })
        void queryClient.invalidateQueries({ queryKey: [readAppDocument.name] })
      }),
      live.on('reset', (error) => {
        setNotice(`${error.message} The document was loaded again.`)
        setDoc(live.doc)
      }),
    ]
    return () => {
      cancelAnimationFrame(frame)
      for (const end of ends) end()
    }
  }, [live, undo, queryClient, status, others])

  const session = useMemo<LiveSession>(() => {
    const show = throttle((presence: OwnPresence) => live.show(presence), PRESENCE_MS)
    return {
      doc,
      origin: ORIGIN,
      mayEdit: !live.isViewer && role !== 'viewer',
      status,
      others,
      undo: () => void undo.undo(),
      redo: () => void undo.redo(),
      show: (presence) => show(trimPresence(presence)),
    }
  }, [live, doc, undo, role, status, others])
  return { session, content, notice, dismiss: () => setNotice(undefined) }
}

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

/** The server refuses a presence of more than 64 KB: so many nodes are told of at most, which nobody can count anyway. */
const MOST = 300

const round = ({ x, y }: { x: number; y: number }) => ({ x: Math.round(x), y: Math.round(y) })

/** What is shown to the others, as small as they need it. */
export function trimPresence({ cursor, selection, drag }: Omit<Presence, 'user'>): Omit<Presence, 'user'> {
  return {
    ...(cursor !== undefined && { cursor: cursor && round(cursor) }),
    ...(selection && { selection: selection.slice(0, MOST) }),
    ...(drag !== undefined && {
      drag:
        drag &&
        Object.fromEntries(
          Object.entries(drag)
            .slice(0, MOST)
            .map(([id, at]) => [id, round(at)]),
        ),
    }),
  }
}

/** Calls with all that was given since the last call put together, once in so many milliseconds. */
export function throttle<T extends object>(
  call: (value: T) => void,
  milliseconds: number,
): (value: T) => void {
  let waiting: T | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    timer = undefined
    if (waiting === undefined) return
    const value = waiting
    waiting = undefined
    call(value)
    timer = setTimeout(flush, milliseconds)
  }
  return (value) => {
    waiting = { ...waiting, ...value }
    if (timer === undefined) flush()
  }
}
