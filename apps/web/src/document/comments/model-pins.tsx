import type { CommentAnchor, CommentThread } from '@meadow/contract/web'
import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { Vector3 } from 'three'
import type { Comments } from '../state/use-comments.ts'
import type { Viewer } from '../view/viewer.ts'
import styles from './comments.module.css'
import { choosePins, DraftPin, limitPins, Pin } from './pin.tsx'

export interface ModelPinsProps {
  comments: Comments
  viewer: Viewer
  /** The thread whose point the camera turns to; another object each time. */
  revealed: { thread: CommentThread } | undefined
}

/**
 * How long the camera has to rest, in milliseconds, before pins behind geometry are faded, and for how many pins this
 * is checked.
 */
const REST_MS = 150
const MAX_COVERED = 40

const toPoint = (anchor: CommentAnchor | undefined): Vector3 | undefined =>
  anchor?.kind === 'point' ? new Vector3(anchor.x, anchor.y, anchor.z) : undefined

/** The threads about points of the model. They follow the camera; those behind geometry are faded. */
export function ModelPins({ comments, viewer, revealed }: ModelPinsProps) {
  const { threads, threadId, anchor } = comments
  const pins = useMemo(() => {
    const found = choosePins(threads, threadId).flatMap((thread) => {
      const point = toPoint(thread.anchor)
      return point ? [{ thread, point }] : []
    })
    return limitPins(found, threadId)
  }, [threads, threadId])
  const draft = toPoint(anchor)
  const elements = useRef(new Map<string, HTMLElement>())
  const keep = (id: string) => (element: HTMLElement | null) => {
    if (element) elements.current.set(id, element)
    else elements.current.delete(id)
  }

  /** Positions are not in React's state: they change with every frame. */
  const place = useEffectEvent((isResting: boolean) => {
    const points: [string, Vector3][] = pins.map(({ thread, point }) => [thread.id, point])
    if (draft) points.push([DRAFT, draft])
    const taken: { x: number; y: number }[] = []
    for (const [index, [id, point]] of points.entries()) {
      const element = elements.current.get(id)
      if (!element) continue
      const spot = viewer.project(point, isResting && index < MAX_COVERED)
      element.hidden = spot === undefined
      if (!spot) continue
      // Pins of the same point stand beside each other.
      const before = taken.filter(({ x, y }) => Math.hypot(x - spot.x, y - spot.y) < SAME_SPOT).length
      taken.push(spot)
      element.style.transform = `translate(${spot.x - 12 + before * PIN_STEP}px, ${spot.y - 24}px)`
      if (spot.isCovered !== undefined) element.toggleAttribute('data-covered', spot.isCovered)
    }
  })
  useEffect(() => {
    let rest: ReturnType<typeof setTimeout> | undefined
    const stop = viewer.onDraw(() => {
      place(false)
      clearTimeout(rest)
      rest = setTimeout(() => place(true), REST_MS)
    })
    return () => {
      stop()
      clearTimeout(rest)
    }
  }, [viewer])
  // biome-ignore lint/correctness/useExhaustiveDependencies: new pins are placed when they are there.
  useEffect(() => place(true), [pins, draft, viewer])

  const reveal = useEffectEvent((point: Vector3) =>
    viewer.move({ ...viewer.viewpoint, target: point.clone() }),
  )
  useEffect(() => {
    const point = toPoint(revealed?.thread.anchor)
    if (point) reveal(point)
  }, [revealed])

  return (
    <div className={styles.modelPins}>
      {pins.map(({ thread }) => (
        <Pin
          key={thread.id}
          ref={keep(thread.id)}
          thread={thread}
          isShown={thread.id === threadId}
          onChoose={() => comments.show(thread.id)}
        />
      ))}
      {draft && <DraftPin ref={keep(DRAFT)} />}
    </div>
  )
}

const DRAFT = 'draft'
/** The distance below which points count as the same, and how far apart their pins stand, in CSS pixels. */
const SAME_SPOT = 8
const PIN_STEP = 22
