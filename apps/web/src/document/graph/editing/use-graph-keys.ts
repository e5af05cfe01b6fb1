import type { GraphContent } from '@meadow/contract'
import { moveNodesBy, setEnabled, setPreviewed } from '@meadow/document/live'
import { type RefObject, useEffect, useRef } from 'react'
import type { Doc } from 'yjs'
import { takesKeys, useKeys } from '../../keys/use-keys.ts'
import type { CanvasPoint } from '../canvas/graph-canvas.tsx'
import { copyNodes, formatClipping, pasteClipping, readClipping } from './clipboard.ts'
import { groupNodes, ungroupNodes } from './edits.ts'
import { togglePins } from './pins.ts'

interface GraphKeysInput {
  content: GraphContent
  selectedIds: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
  edit: (change: (doc: Doc) => void) => void
  origin: unknown
  isOff: boolean
  pointer: RefObject<CanvasPoint['canvas'] | undefined>
  onOpenPalette: (at: CanvasPoint) => void
  onFind: () => void
  /** Opens or closes the list of components. */
  onBrowse: () => void
  onInspect: () => void
  /** Called for Escape when nothing is selected. */
  onLeave: () => void
  onRemove: () => void
}

/** The offset of a copy, in canvas units. */
const STEP = 30
/** How far an arrow key moves nodes, in canvas units: as React Flow does where a node has the focus. */
const NUDGE = 5
const FAR_NUDGE = 20
const DIRECTIONS: Record<string, readonly [x: number, y: number]> = {
  ...{ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] },
}

/** The keyboard shortcuts of the canvas, and copy, cut and paste with the system clipboard. */
export function useGraphKeys(input: GraphKeysInput): void {
  const { content, selectedIds, onSelect, edit, origin, isOff, pointer, onOpenPalette, onFind, onRemove } =
    input
  const { onBrowse, onInspect, onLeave } = input
  const ids = [...selectedIds]
  const selectedNodes = ids.flatMap((id) => content.nodes[id] ?? [])

  useEffect(() => {
    const isIgnored = ({ target }: Event) =>
      isOff || takesKeys(target) || (target instanceof Element && target.closest('[role=dialog]') !== null)
    const copy = (event: ClipboardEvent) => {
      if (isIgnored(event) || selectedIds.size === 0) return
      event.preventDefault()
      event.clipboardData?.setData('text/plain', formatClipping(content, selectedIds))
    }
    const cut = (event: ClipboardEvent) => {
      copy(event)
      if (event.defaultPrevented) onRemove()
    }
    const paste = (event: ClipboardEvent) => {
      const clipping = isIgnored(event)
        ? undefined
        : readClipping(event.clipboardData?.getData('text/plain') ?? '')
      if (!clipping) return
      event.preventDefault()
      edit((doc) => {
        const first = clipping.nodes[0]?.position
        const target = pointer.current
        const offset =
          first && target ? { x: target.x - first.x, y: target.y - first.y } : { x: STEP, y: STEP }
        onSelect(pasteClipping(doc, clipping, offset, origin))
      })
    }
    document.addEventListener('copy', copy)
    document.addEventListener('cut', cut)
    document.addEventListener('paste', paste)
    return () => {
      document.removeEventListener('copy', copy)
      document.removeEventListener('cut', cut)
      document.removeEventListener('paste', paste)
    }
  }, [content, selectedIds, onSelect, edit, origin, isOff, pointer, onRemove])

  // React Flow deselects the node with the focus before Escape gets here, so that the selection is noted before that.
  const hadSelection = useRef(false)
  useEffect(() => {
    const note = () => {
      hadSelection.current = selectedIds.size > 0
    }
    document.addEventListener('keydown', note, { capture: true })
    return () => document.removeEventListener('keydown', note, { capture: true })
  }, [selectedIds])

  const openPalette = () => {
    if (!isOff)
      onOpenPalette({
        canvas: pointer.current ?? { x: 0, y: 0 },
        screen: { x: innerWidth / 3, y: innerHeight / 4 },
      })
  }
  const setAll = (key: 'isEnabled' | 'isPreviewed', set: typeof setEnabled) => () =>
    edit((doc) =>
      set(
        doc,
        ids,
        selectedNodes.some(({ status }) => !status[key]),
        origin,
      ),
    )
  useKeys({
    nudge({ key, shiftKey, target }) {
      const isOnCanvas = target === document.body || isInGraph(target)
      if (isOff || ids.length === 0 || !isOnCanvas) return
      const [x, y] = DIRECTIONS[key]!
      const step = shiftKey ? FAR_NUDGE : NUDGE
      const instanceIds = selectedNodes.map(({ instanceId }) => instanceId)
      edit((doc) => moveNodesBy(doc, instanceIds, { x: x * step, y: y * step }, origin))
    },
    selectAll: () => onSelect(new Set(Object.keys(content.nodes))),
    remove: onRemove,
    leave({ target }) {
      if (isInOverlay(target)) return
      if (hadSelection.current) onSelect(new Set())
      else onLeave()
    },
    inspect: onInspect,
    addComponent: openPalette,
    addNode: openPalette,
    find: onFind,
    browse() {
      if (!isOff) onBrowse()
    },
    duplicate: () =>
      edit((doc) => onSelect(copyNodes(doc, content, { ids: selectedIds, x: STEP, y: STEP }, origin))),
    group: () => edit((doc) => groupNodes(doc, ids, origin)),
    ungroup: () => edit((doc) => ungroupNodes(doc, content, selectedIds, origin)),
    enable: setAll('isEnabled', setEnabled),
    preview: setAll('isPreviewed', setPreviewed),
    pin() {
      if (!isOff && ids.length > 0) edit((doc) => togglePins(doc, content, ids, origin))
    },
  })
}

/** Whether a menu or dialog takes the key, also one that it has just closed. */
const isInOverlay = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role=dialog], [role=menu], [role=listbox]') !== null

/** Returns whether a target is in the graph, but not on a node, which React Flow moves itself. */
const isInGraph = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('.react-flow') !== null &&
  target.closest('.react-flow__node, .react-flow__controls') === null
