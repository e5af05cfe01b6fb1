import { useRef, useState } from 'react'
import type { ListItem } from './list-items.ts'

export interface Selection {
  readonly ids: ReadonlySet<string>
  /** The selected items, in the order of the list. */
  readonly items: readonly ListItem[]
  /** How a click or key on an item changes the selection. */
  choose(index: number, how: 'only' | 'toggle' | 'range'): void
  all(): void
  clear(): void
  /** Leaves only these selected. */
  keep(ids: ReadonlySet<string>): void
}

/** Which items of a list are selected. Items that are no longer listed are not selected either. */
export function useSelection(items: readonly ListItem[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  /** The item where a range begins: the one that was chosen last without Shift. */
  const anchor = useRef<string>(undefined)
  const selected = chosen.size === 0 ? [] : items.filter(({ id }) => chosen.has(id))
  return {
    ids: chosen,
    items: selected,
    choose(index, how) {
      const { id } = items[index]!
      if (how === 'range') {
        const from = items.findIndex((item) => item.id === anchor.current)
        const [start, end] = from < 0 ? [index, index] : [Math.min(from, index), Math.max(from, index)]
        setChosen(new Set(items.slice(start, end + 1).map((item) => item.id)))
        if (from < 0) anchor.current = id
        return
      }
      anchor.current = id
      if (how === 'only') return setChosen(new Set([id]))
      const next = new Set(chosen)
      if (!next.delete(id)) next.add(id)
      setChosen(next)
    },
    all: () => setChosen(new Set(items.map(({ id }) => id))),
    clear: () => setChosen(new Set()),
    keep: (ids) => setChosen(ids),
  }
}
