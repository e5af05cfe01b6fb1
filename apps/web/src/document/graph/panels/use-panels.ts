import type { PortReference } from '@meadow/contract'
import { useCallback, useState } from 'react'
import type { CanvasPoint } from '../canvas/graph-canvas.tsx'

/** What is open over the canvas. */
export interface Panels {
  /** Where the palette is open. */
  paletteAt?: CanvasPoint | undefined
  /** The menu of a node, or of the canvas. */
  menu?: { at: CanvasPoint; nodeId: string | undefined } | undefined
  /** The node or group whose dialog is open. */
  dialogId?: string | undefined
  isFinding?: boolean
  /** The node whose properties are shown, where there is no dock. */
  inspectedId?: string | undefined
  /** The node that is to be replaced by another one. */
  replacedId?: string | undefined
  /** The port whose values are listed. */
  listed?: PortReference | undefined
}

/** Opens or closes some of the panels. It keeps its identity. */
export type ShowPanels = (changes: Panels) => void

export function usePanels(): [Panels, ShowPanels] {
  const [panels, setPanels] = useState<Panels>({})
  const show = useCallback((changes: Panels) => setPanels((current) => ({ ...current, ...changes })), [])
  return [panels, show]
}
