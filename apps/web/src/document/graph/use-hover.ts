import { useCallback, useEffect, useRef, useState } from 'react'

/** Shown after a moment, so that nothing flickers on the way; gone after one, so that it can be reached. */
const SHOW_MS = 350
const HIDE_MS = 200

export interface Hover<T> {
  shown: T | undefined
  show: (value: T) => void
  hide: () => void
  /** The pointer is on what is shown. */
  keep: () => void
}

/** What belongs to the place under the pointer. */
export function useHover<T>(): Hover<T> {
  const [shown, setShown] = useState<T>()
  const timer = useRef<number>(undefined)
  const later = useCallback((value: T | undefined, ms: number) => {
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => setShown(value), ms)
  }, [])
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    shown,
    show: useCallback((value: T) => later(value, SHOW_MS), [later]),
    hide: useCallback(() => later(undefined, HIDE_MS), [later]),
    keep: useCallback(() => clearTimeout(timer.current), []),
  }
}
