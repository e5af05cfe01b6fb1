import { type RefObject, useEffect, useRef } from 'react'
import type { ListItem } from './list-items.ts'
import type { Selection } from './use-selection.ts'

interface ListKeys {
  items: readonly ListItem[]
  selection: Selection
  list: RefObject<HTMLElement | null>
  scrollTo(index: number): void
  onDelete?: () => void
  /** How many items are beside each other. */
  columns?: number
}

/** How many lines Page Up and Page Down move by. */
const PAGE = 12

/**
 * The keys of a list. Those that move go from item to item while one has the focus: arrows, Page Up and Down, Home, End,
 * with Shift to select, and Space to select one. Everywhere on the page but in fields: Ctrl+A selects all, Escape none,
 * Delete deletes what is selected.
 */
export function useListKeys(keys: ListKeys): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const stop = new AbortController()
    addEventListener('keydown', (event) => handleKey(event, latest.current), { signal: stop.signal })
    return () => stop.abort()
  }, [])
}

function handleKey(event: KeyboardEvent, keys: ListKeys): void {
  const { items, selection, list, onDelete } = keys
  const target = event.target as HTMLElement
  if (event.defaultPrevented || target.closest('[role=dialog], [role=menu], [role=listbox], search')) return
  if (target.matches('textarea, select, input:not([type=checkbox]), [contenteditable]')) return
  const isCommand = event.ctrlKey || event.metaKey
  if (isCommand && event.key === 'a') {
    event.preventDefault()
    selection.all()
  } else if (event.key === 'Escape') selection.clear()
  else if (event.key === 'Delete' && selection.items.length > 0) onDelete?.()
  if (isCommand || event.altKey) return
  const line = target.closest<HTMLElement>('[data-index]')
  if (!line || !list.current?.contains(line)) return
  const index = Number(line.dataset.index)
  if (event.key === ' ' && target.matches('a')) {
    event.preventDefault()
    selection.choose(index, event.shiftKey ? 'range' : 'toggle')
    return
  }
  const next = findNext(event.key, index, keys)
  if (next === undefined) return
  event.preventDefault()
  const to = Math.min(items.length - 1, Math.max(0, next))
  if (event.shiftKey) {
    if (selection.items.length === 0) selection.choose(index, 'only')
    selection.choose(to, 'range')
  }
  focusItem(to, keys)
}

function findNext(key: string, index: number, { items, columns = 1 }: ListKeys): number | undefined {
  const moves: Record<string, number> = {
    ArrowDown: index + columns,
    ArrowUp: index - columns,
    ...(columns > 1 && { ArrowRight: index + 1, ArrowLeft: index - 1 }),
    PageDown: index + PAGE * columns,
    PageUp: index - PAGE * columns,
    Home: 0,
    End: items.length - 1,
  }
  return moves[key]
}

/** How many frames a line that is far away may take to appear. */
const FRAMES = 30

function focusItem(index: number, { list, scrollTo }: Pick<ListKeys, 'list' | 'scrollTo'>): void {
  scrollTo(index)
  let frames = 0
  const focus = () => {
    const link = list.current?.querySelector<HTMLElement>(`[data-index="${index}"] [data-item-link]`)
    if (link) link.focus()
    else if (++frames < FRAMES) requestAnimationFrame(focus)
  }
  focus()
}
