import type { GraphContent } from '@meadow/contract'
import { useStore } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import type { Arrival } from '../../state/use-view-state.ts'
import { useReveal } from './viewport.ts'

/** Calls `arrive` with those of the nodes that exist, once the size of the canvas is known, and moves the canvas to them. */
export function useArrival(
  arrival: Arrival | undefined,
  { nodes }: GraphContent,
  arrive: (nodeIds: readonly string[]) => void,
): void {
  const reveal = useReveal()
  const isReady = useStore(({ width, height }) => width > 0 && height > 0)
  const last = useRef<string>(undefined)
  useEffect(() => {
    if (!arrival || !isReady || last.current === arrival.key) return
    const found = arrival.nodeIds.flatMap((id) => (Object.hasOwn(nodes, id) ? nodes[id]! : []))
    if (found.length === 0) return
    last.current = arrival.key
    arrive(found.map(({ instanceId }) => instanceId))
    if (arrival.isRevealed) reveal(found)
  }, [arrival, nodes, isReady, arrive, reveal])
}
