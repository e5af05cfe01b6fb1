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
 * Delete deletes what is selected. The focus stays at its item when that is scrolled out of the page and in again.
 */
export function useListKeys(keys: ListKeys): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    /** The line that has the focus, or had it when it left the page because the list was scrolled. */
    let current: number | undefined
    addEventListener('keydown', (event) => handleKey(event, latest.current, current), { signal })
    const remember = ({ target }: Event) => {
      current = target instanceof Element ? indexOf(target, latest.current) : undefined
    }
    addEventListener('focusin', remember, { signal })
    addEventListener('pointerdown', remember, { signal })
    // The line gets the focus back when it is in the page again.
    const observer = new MutationObserver(() => {
      if (current !== undefined && document.activeElement === document.body)
        linkOf(current, latest.current)?.focus({ preventScroll: true })
    })
    const { list } = latest.current
    if (list.current) observer.observe(list.current, { childList: true })
    return () => {
      stop.abort()
      observer.disconnect()
    }
  }, [])
}

function indexOf(target: Element, { list }: Pick<ListKeys, 'list'>): number | undefined {
  const line = target.closest<HTMLElement>('[data-index]')
  return line && list.current?.contains(line) ? Number(line.dataset.index) : undefined
}

const linkOf = (index: number, { list }: Pick<ListKeys, 'list'>) =>
  list.current?.querySelector<HTMLElement>(`[data-index="${index}"] [data-item-link]`)

/** Handles a key. `lost` is the line that had the focus when it left the page. */
function handleKey(event: KeyboardEvent, keys: ListKeys, lost: number | undefined): void {
  const { items, selection, onDelete } = keys
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
  const index = target === document.body ? lost : indexOf(target, keys)
  if (index === undefined) return
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
    const link = linkOf(index, { list })
    if (link) link.focus()
    else if (++frames < FRAMES) requestAnimationFrame(focus)
  }
  focus()
}
