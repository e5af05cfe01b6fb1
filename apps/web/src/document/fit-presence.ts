import type { Presence } from '@meadow/contract'

/** The server refuses a presence of more than 64 KB: so many nodes are told of at most, which nobody can count anyway. */
const MOST = 300

const round = ({ x, y }: { x: number; y: number }) => ({ x: Math.round(x), y: Math.round(y) })

/** What is shown to the others, as small as they need it. */
export function fitPresence({ cursor, selection, drag }: Omit<Presence, 'user'>): Omit<Presence, 'user'> {
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
