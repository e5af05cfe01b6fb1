import type { PortReference } from '@meadow/contract'
import { useCallback, useEffect, useRef, useState } from 'react'

/** A card opens after a delay, so that it does not flicker, and closes after one, so that the pointer can reach it. */
const SHOW_MS = 350
const HIDE_MS = 200

/** A port with its place on the screen. */
export interface HoveredPort {
  port: PortReference
  anchor: DOMRect
}

export interface Hover<T> {
  shown: T | undefined
  show: (value: T) => void
  hide: () => void
  /** Cancels hiding. */
  keep: () => void
  /** Hides it at once. */
  close: () => void
}

/** Shows and hides a value with delays. */
export function useHover<T>(showMs = SHOW_MS): Hover<T> {
  const [shown, setShown] = useState<T>()
  const timer = useRef<number>(undefined)
  const schedule = useCallback((value: T | undefined, ms: number) => {
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => setShown(value), ms)
  }, [])
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    shown,
    show: useCallback((value: T) => schedule(value, showMs), [schedule, showMs]),
    hide: useCallback(() => schedule(undefined, HIDE_MS), [schedule]),
    keep: () => clearTimeout(timer.current),
    close: useCallback(() => {
      clearTimeout(timer.current)
      setShown(undefined)
    }, []),
  }
}
