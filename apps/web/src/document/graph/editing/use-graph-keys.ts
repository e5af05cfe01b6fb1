import { useHotkeys } from '@mantine/hooks'
import type { GraphContent } from '@meadow/contract'
import { setEnabled, setPreviewed } from '@meadow/document/live'
import { type RefObject, useEffect } from 'react'
import type { Doc } from 'yjs'
import type { CanvasPoint } from '../canvas/graph-canvas.tsx'
import { copyNodes, formatClipping, pasteClipping, readClipping } from './clipboard.ts'
import { groupSelected, ungroupSelected } from './edits.ts'

interface GraphKeysInput {
  content: GraphContent
  selectedIds: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
  edit: (change: (doc: Doc) => void) => void
  origin: unknown
  isOff: boolean
  pointer: RefObject<CanvasPoint['canvas'] | undefined>
  onOpenPalette: (place: CanvasPoint) => void
  /** Asked for a node by its name. */
  onFind: () => void
  /** Of what is selected. */
  onRemove: () => void
}

/** How far a copy lies from what was copied, in canvas units. */
const STEP = 30

/** The keys of the canvas, and the system's clipboard. */
export function useGraphKeys(input: GraphKeysInput): void {
  const { content, selectedIds, onSelect, edit, origin, isOff, pointer, onOpenPalette, onFind, onRemove } =
    input
  const ids = [...selectedIds]
  const selectedNodes = ids.flatMap((id) => content.nodes[id] ?? [])

  useEffect(() => {
    const isElsewhere = ({ target }: Event) =>
      isOff ||
      (target instanceof Element && target.closest('input, textarea, select, [role=dialog]') !== null)
    const copy = (event: ClipboardEvent) => {
      if (isElsewhere(event) || selectedIds.size === 0) return
      event.preventDefault()
      event.clipboardData?.setData('text/plain', formatClipping(content, selectedIds))
    }
    const cut = (event: ClipboardEvent) => {
      copy(event)
      if (event.defaultPrevented) onRemove()
    }
    const paste = (event: ClipboardEvent) => {
      const clipping = isElsewhere(event)
        ? undefined
        : readClipping(event.clipboardData?.getData('text/plain') ?? '')
      if (!clipping) return
      event.preventDefault()
      edit((doc) => {
        const first = clipping.nodes[0]?.position
        const at = pointer.current
        const offset = first && at ? { x: at.x - first.x, y: at.y - first.y } : { x: STEP, y: STEP }
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

  const ask = () => {
    if (!isOff)
      onOpenPalette({
        canvas: pointer.current ?? { x: 0, y: 0 },
        screen: { x: innerWidth / 3, y: innerHeight / 4 },
      })
  }
  useHotkeys([
    ['mod+a', () => onSelect(new Set(Object.keys(content.nodes)))],
    ['Delete', onRemove],
    ['Backspace', onRemove],
    ['Escape', () => onSelect(new Set())],
    ['mod+Space', ask],
    ['/', ask],
    ['mod+f', onFind],
    [
      'mod+d',
      () => edit((doc) => onSelect(copyNodes(doc, content, { ids: selectedIds, x: STEP, y: STEP }, origin))),
    ],
    ['mod+g', () => edit((doc) => groupSelected(doc, ids, origin))],
    ['mod+shift+g', () => edit((doc) => ungroupSelected(doc, content, selectedIds, origin))],
    [
      'mod+e',
      () =>
        edit((doc) =>
          setEnabled(
            doc,
            ids,
            selectedNodes.some(({ status }) => !status.isEnabled),
            origin,
          ),
        ),
    ],
    [
      'mod+q',
      () =>
        edit((doc) =>
          setPreviewed(
            doc,
            ids,
            selectedNodes.some(({ status }) => !status.isPreviewed),
            origin,
          ),
        ),
    ],
  ])
}
