import type { CommentThread } from '@meadow/contract/web'
import type { CSSProperties, Ref } from 'react'
import styles from './comments.module.css'
import { FORMER_MEMBER } from './mentions.ts'

interface PinProps {
  thread: CommentThread
  isShown: boolean
  onChoose: () => void
  style?: CSSProperties
  ref?: Ref<HTMLButtonElement>
}

/** A thread at what it is about. */
export function Pin({ thread, isShown, onChoose, style, ref }: PinProps) {
  const { author, excerpt, unread, comments, resolved } = thread
  const name = author?.name ?? FORMER_MEMBER
  return (
    <button
      ref={ref}
      type="button"
      data-pin
      // React Flow neither drags nor moves the canvas from here.
      className={`${styles.pin} nodrag nopan`}
      style={style}
      data-unread={unread > 0 || undefined}
      data-resolved={resolved !== null || undefined}
      data-shown={isShown || undefined}
      aria-label={`Comment of ${name}${unread > 0 ? ', unread' : ''}: ${excerpt}`}
      title={`${name}: ${excerpt}`}
      aria-pressed={isShown}
      onClick={onChoose}
      // The text has only the initials, while the label has the whole name.
      data-text={comments > 1 ? comments : initialsOf(name)}
    />
  )
}

/** The place of the comment that is being written. */
export const DraftPin = ({ style, ref }: Pick<PinProps, 'style'> & { ref?: Ref<HTMLSpanElement> }) => (
  <span ref={ref} className={styles.pin} data-draft data-text="+" aria-hidden style={style} />
)

const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((part) => [...part][0] ?? '')
    .join('')
    .toUpperCase()

/** The largest number of pins that are elements at once: the shown one, then those with news, then the latest. */
const MAX_PINS = 80

/** The open threads, and the one that is shown even if it is resolved. */
export const choosePins = (
  threads: readonly CommentThread[] | undefined,
  shownId: string | undefined,
): CommentThread[] => (threads ?? []).filter(({ id, resolved }) => resolved === null || id === shownId)

export const limitPins = <T extends { thread: CommentThread }>(
  pins: readonly T[],
  shownId: string | undefined,
): readonly T[] => {
  if (pins.length <= MAX_PINS) return pins
  const rank = ({ thread }: T) => (thread.id === shownId ? 0 : thread.unread > 0 ? 1 : 2)
  return pins.toSorted((a, b) => rank(a) - rank(b)).slice(0, MAX_PINS)
}
