import { type LiveDocument, type OwnPresence, openLive } from '@meadow/client/live'
import type { GraphContent, Node, Presence } from '@meadow/contract'
import { type AppDocument, readAppDocument, readEditorSolution } from '@meadow/contract/web'
import { createUndoManager, replaceContent, setValues } from '@meadow/document/live'
import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { Doc } from 'yjs'
import { ApiError } from '../../api/call.ts'
import { findServiceAddress } from '../../api/public-path.ts'
import { createObservable, type Observed } from './observed.ts'
import { createPersonColours } from './person-colours.ts'
import { createRestoreWatch } from './restore-watch.ts'
import { refreshThreads } from './threads-query.ts'
import { refreshViews } from './views-query.ts'

/** An open live document, as the editor uses it. The object stays the same until the document is loaded again. */
export interface LiveSession {
  doc: Doc
  /** The transaction origin of this window's edits. */
  origin: unknown
  /** Whether the user may edit; false for viewers. */
  mayEdit: boolean
  status: Observed<LiveStatus>
  /** The presence of all other clients, by client id. */
  others: Observed<ReadonlyMap<number, Presence>>
  /** The colour of a person, by user id, wherever they are shown: one for all their windows. */
  colourOf(userId: string): string
  undo(): void
  redo(): void
  /**
   * Writes the own values of nodes that are still being dragged. What is written from then until `endStep` is one step
   * to undo.
   */
  writeDrafts(nodes: ReadonlyMap<string, Node>): void
  endStep(): void
  /**
   * Replaces the whole content, as one step to undo. `follow` is called whenever that step is undone or redone. False when
   * the document has this content already, so that there is no step.
   */
  replace(content: GraphContent, follow?: (step: 'undo' | 'redo') => void): boolean
  /** Publishes a part of one's own presence. */
  show(presence: Omit<Presence, 'user'>): void
}

/** The state of the live connection and of one's own undo history. */
export interface LiveStatus {
  isConnected: boolean
  canUndo: boolean
  canRedo: boolean
}

/** A document that is being opened, or is open. */
export interface OpeningDocument {
  live: LiveDocument | undefined
  /** Why it could not be opened, or was closed by the server: it is in the bin, or this user has no access any more. */
  problem: ApiError | undefined
}

/** Opens the live connection to a document when `isEnabled`, and closes it with the component. */
export function useLiveDocument(documentId: string, isEnabled: boolean): OpeningDocument {
  const [live, setLive] = useState<LiveDocument>()
  const [problem, setProblem] = useState<ApiError>()
  useEffect(() => {
    if (!isEnabled) return undefined
    let isClosed = false
    let opened: LiveDocument | undefined
    const report = (sentence: string) => {
      if (!isClosed) setProblem(new ApiError(0, sentence))
    }
    openLive({ address: findServiceAddress(), documentId }).then(
      (document) => {
        opened = document
        if (isClosed) {
          document.close()
          return
        }
        document.on('status', (status) => {
          if (status === 'closed') void describeEnd(document, document.error!).then(report)
        })
        setLive(document)
      },
      ({ message }) => report(message),
    )
    return () => {
      isClosed = true
      opened?.close()
      setLive(undefined)
    }
  }, [documentId, isEnabled])
  return { live, problem }
}

/** Why a copy of the document was discarded, and whether edits of this window are lost with it. */
function describeEnd(live: LiveDocument, { message }: Error): Promise<string> {
  return live.durable().then(
    () => message,
    () => `${message} Your last edits were not saved.`,
  )
}

export interface LiveState {
  session: LiveSession
  content: GraphContent
  /** Says that somebody restored a version, or why the server rejected edits and the document was loaded again. */
  notice: string | undefined
  dismiss: () => void
}

/** The origin of this window's transactions, which undo takes back. */
const ORIGIN = Symbol('this window')

/** How often presence is sent: often enough for a cursor to move smoothly, and cheap for the server. */
const PRESENCE_MS = 60

/** The session of an open document, and its content, which is read again after every change. */
export function useLiveSession(live: LiveDocument, { id, role }: AppDocument): LiveState {
  const queryClient = useQueryClient()
  const [notice, setNotice] = useState<string>()
  const [content, setContent] = useState<GraphContent>(() => live.read())
  const [status] = useState(() =>
    createObservable<LiveStatus>({ isConnected: true, canUndo: false, canRedo: false }),
  )
  const [others] = useState(() => createObservable<ReadonlyMap<number, Presence>>(new Map()))
  const [colourOf] = useState(createPersonColours)
  // A reset of the live document replaces its Doc.
  const [doc, setDoc] = useState(live.doc)

  const undo = useMemo(() => createFollowedUndo(doc), [doc])

  useEffect(() => {
    let frame = 0
    const updateStatus = () =>
      status.set({
        isConnected: live.status === 'open',
        canUndo: undo.canUndo(),
        canRedo: undo.canRedo(),
      })
    const readRestore = createRestoreWatch()
    const updateOthers = () => {
      const people = live.people.filter(({ isMe }) => !isMe)
      others.set(new Map(people.map((person) => [person.clientId, person])))
      const restore = readRestore(people)
      if (restore !== undefined) setNotice(restore)
    }
    // The content is read at most once per frame, however many edits arrive.
    const scheduleUpdate = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0
        setContent(live.read())
        updateStatus()
      })
    }
    setContent(live.read())
    updateStatus()
    updateOthers()
    const unsubscribes = [
      live.on('change', scheduleUpdate),
      live.on('people', updateOthers),
      live.on('status', updateStatus),
      live.on('solve', () => {
        void refetch(queryClient, [readEditorSolution.path])
        void refetch(queryClient, [readAppDocument.path])
      }),
      live.on('comments', ({ revision }) => void refreshThreads(queryClient, id, revision)),
      live.on('views', ({ revision }) => void refreshViews(queryClient, id, revision)),
      live.on('reset', (error) => {
        void describeEnd(live, error).then((sentence) =>
          setNotice(`${sentence} The document was loaded again.`),
        )
        setDoc(live.doc)
      }),
    ]
    return () => {
      cancelAnimationFrame(frame)
      for (const unsubscribe of unsubscribes) unsubscribe()
    }
  }, [live, id, undo, queryClient, status, others])

  const session = useMemo<LiveSession>(() => {
    const show = throttle((presence: OwnPresence) => live.show(presence), PRESENCE_MS)
    return {
      doc,
      origin: ORIGIN,
      mayEdit: !live.isViewer && role !== 'viewer',
      status,
      others,
      colourOf,
      undo: () => void undo.undo(),
      redo: () => void undo.redo(),
      writeDrafts(nodes) {
        doc.transact(() => {
          for (const [id, { values }] of nodes)
            setValues(doc, { nodeInstanceId: id, portInstanceId: id }, values[id], ORIGIN)
        }, ORIGIN)
        undo.captureTimeout = Number.POSITIVE_INFINITY
      },
      endStep() {
        undo.captureTimeout = 0
      },
      replace(next, follow) {
        const before = undo.undoStack.at(-1)
        undo.stopCapturing()
        replaceContent(doc, next, ORIGIN)
        undo.stopCapturing()
        const step = undo.undoStack.at(-1)
        if (!step || step === before) return false
        step.meta.set(FOLLOW, follow)
        return true
      },
      show: (presence) => show(trimPresence(presence)),
    }
  }, [live, doc, undo, role, status, others, colourOf])
  return { session, content, notice, dismiss: () => setNotice(undefined) }
}

const FOLLOW = Symbol('what has to follow a step')

/** An undo manager that calls what has to follow when a step is undone or redone (see `LiveSession.replace`). */
function createFollowedUndo(doc: Doc) {
  const undo = createUndoManager(doc, ORIGIN)
  undo.on('stack-item-popped', ({ stackItem, type }) => {
    const follow: ((step: 'undo' | 'redo') => void) | undefined = stackItem.meta.get(FOLLOW)
    if (!follow) return
    const opposite = type === 'undo' ? undo.redoStack : undo.undoStack
    opposite.at(-1)?.meta.set(FOLLOW, follow)
    follow(type)
  })
  return undo
}

/** Reads again what is shown. A first read that is under way, which may be of the state before, does not count. */
async function refetch(queryClient: QueryClient, queryKey: QueryKey): Promise<void> {
  await queryClient.cancelQueries({ queryKey })
  await queryClient.invalidateQueries({ queryKey })
}

/** The server rejects a presence of more than 64 KB; this many nodes are well below it. */
const MAX_PRESENCE_NODES = 300

/** A presence with rounded coordinates and at most {@link MAX_PRESENCE_NODES} selected and dragged nodes. */
export function trimPresence({
  cursor,
  selection,
  drag,
  restored,
}: Omit<Presence, 'user'>): Omit<Presence, 'user'> {
  return {
    ...(restored && { restored }),
    ...(cursor !== undefined && { cursor: cursor && round(cursor) }),
    ...(selection && { selection: selection.slice(0, MAX_PRESENCE_NODES) }),
    ...(drag !== undefined && {
      drag:
        drag &&
        Object.fromEntries(
          Object.entries(drag)
            .slice(0, MAX_PRESENCE_NODES)
            .map(([id, position]) => [id, round(position)]),
        ),
    }),
  }
}

const round = ({ x, y }: { x: number; y: number }) => ({ x: Math.round(x), y: Math.round(y) })

/** Calls at once, then at most once per interval, with all properties passed since the last call merged. */
export function throttle<T extends object>(call: (value: T) => void, intervalMs: number): (value: T) => void {
  let pending: T | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    timer = undefined
    if (pending === undefined) return
    const value = pending
    pending = undefined
    call(value)
    timer = setTimeout(flush, intervalMs)
  }
  return (value) => {
    pending = { ...pending, ...value }
    if (timer === undefined) flush()
  }
}
