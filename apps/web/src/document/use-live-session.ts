import type { LiveDocument, OwnPresence } from '@meadow/client/live'
import type { GraphContent, Presence } from '@meadow/contract'
import { type AppDocument, readAppDocument, readEditorSolution } from '@meadow/contract/web'
import { createUndoManager } from '@meadow/document/live'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { fitPresence } from './fit-presence.ts'
import type { LiveSession, LiveStanding } from './live-session.ts'
import { createObservable } from './observed.ts'
import { throttle } from './throttle.ts'

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
  const [standing] = useState(() =>
    createObservable<LiveStanding>({ isConnected: true, canUndo: false, canRedo: false }),
  )
  const [others] = useState(() => createObservable<ReadonlyMap<number, Presence>>(new Map()))
  /** Another one after each reset. */
  const [doc, setDoc] = useState(live.doc)

  const undo = useMemo(() => createUndoManager(doc, ORIGIN), [doc])

  useEffect(() => {
    let frame = 0
    const stand = () =>
      standing.set({
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
  }, [live, undo, queryClient, standing, others])

  const session = useMemo<LiveSession>(() => {
    const show = throttle((presence: OwnPresence) => live.show(presence), PRESENCE_MS)
    return {
      doc,
      origin: ORIGIN,
      mayEdit: !live.isViewer && role !== 'viewer',
      standing,
      others,
      undo: () => void undo.undo(),
      redo: () => void undo.redo(),
      show: (presence) => show(fitPresence(presence)),
    }
  }, [live, doc, undo, role, standing, others])
  return { session, content, notice, dismiss: () => setNotice(undefined) }
}
