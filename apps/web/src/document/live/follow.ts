import { type RefObject, useEffect, useEffectEvent } from 'react'

/** How the page leads a pane to a place, and learns which one it shows. */
export interface Follow<Place> {
  /** The place that the pane is to go to. Each time, it is another object. */
  flight: { place: Place; isInstant: boolean } | undefined
  /** Called when the pane goes there. */
  onDeparted: () => void
  /** Reads the place that the pane shows; undefined while there is none to read. */
  reader: RefObject<(() => Place | undefined) | undefined>
}

interface FollowingPane<Place> {
  isReady: boolean
  read: () => Place | undefined
  go: (place: Place, isInstant: boolean) => void
}

/** Connects a pane to what leads it, as soon as the pane is ready. */
export function useFollow<Place>(
  follow: Follow<Place> | undefined,
  { isReady, read, go }: FollowingPane<Place>,
): void {
  const depart = useEffectEvent((place: Place, isInstant: boolean) => {
    go(place, isInstant || matchMedia('(prefers-reduced-motion: reduce)').matches)
    follow?.onDeparted()
  })
  const flight = follow?.flight
  useEffect(() => {
    if (flight && isReady) depart(flight.place, flight.isInstant)
  }, [flight, isReady])
  const reader = follow?.reader
  const readNow = useEffectEvent(read)
  useEffect(() => {
    if (!reader || !isReady) return undefined
    reader.current = () => readNow()
    return () => {
      reader.current = undefined
    }
  }, [reader, isReady])
}
