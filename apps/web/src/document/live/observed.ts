import { useSyncExternalStore } from 'react'

/** A value that changes over time. Only the components that use it render again. */
export interface Observed<T> {
  read: () => T
  /** Returns the function that unsubscribes. */
  subscribe: (listener: () => void) => () => void
}

export interface Observable<T> extends Observed<T> {
  set: (value: T) => void
}

export function createObservable<T>(initial: T): Observable<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    read: () => value,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    set(next) {
      value = next
      for (const listener of listeners) listener()
    },
  }
}

/** A value that is never there. */
export const NOTHING: Observed<undefined> = { read: () => undefined, subscribe: () => () => {} }

export const useObserved = <T>({ subscribe, read }: Observed<T>): T => useSyncExternalStore(subscribe, read)
