import type { Node } from '@meadow/contract'
import { useReactFlow } from '@xyflow/react'
import { useCallback } from 'react'
import { boxOf } from './node-shape.ts'

/** At least so large is shown what one asked to see. */
const READABLE_ZOOM = 0.8

/** Moves the canvas to a node. */
export function useReveal(): (node: Node) => void {
  const { setCenter, getZoom } = useReactFlow()
  return useCallback(
    (node) => {
      const { x, y, width, height } = boxOf(node)
      void setCenter(x + width / 2, y + height / 2, { zoom: Math.max(getZoom(), READABLE_ZOOM) })
    },
    [setCenter, getZoom],
  )
}
