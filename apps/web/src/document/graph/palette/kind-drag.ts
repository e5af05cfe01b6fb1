import type { DragEvent } from 'react'

/**
 * The media type of what is dragged from the palette: the id of a kind. Other windows and programs take nothing of it.
 */
const TYPE = 'application/x-meadow-kind'

export function startKindDrag({ dataTransfer }: DragEvent, templateId: string): void {
  dataTransfer.setData(TYPE, templateId)
  dataTransfer.effectAllowed = 'copy'
}

interface KindDropHandlers {
  onDragOver: (event: DragEvent<HTMLElement>) => void
  onDragLeave: (event: DragEvent<HTMLElement>) => void
  onDrop: (event: DragEvent<HTMLElement>) => void
}

/** Returns the handlers of an element that takes kinds: on the canvas or, with Alt, on a node, which is then marked. */
export function takeKinds(
  onDrop: (templateId: string, at: { x: number; y: number }, nodeId: string | undefined) => void,
): KindDropHandlers {
  return {
    onDragOver(event) {
      if (!event.dataTransfer.types.includes(TYPE)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      mark(event.currentTarget, findTarget(event))
    },
    onDragLeave: ({ currentTarget, relatedTarget }) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) mark(currentTarget, null)
    },
    onDrop(event) {
      const templateId = event.dataTransfer.getData(TYPE)
      if (templateId === '') return
      event.preventDefault()
      mark(event.currentTarget, null)
      const { clientX: x, clientY: y } = event
      onDrop(templateId, { x, y }, findTarget(event)?.dataset.id)
    },
  }
}

const findTarget = ({ altKey, target }: DragEvent): HTMLElement | null =>
  altKey && target instanceof Element ? target.closest<HTMLElement>('.react-flow__node') : null

/** Marks a node by an attribute, since React's state would render the canvas again with each movement. */
function mark(within: HTMLElement, node: HTMLElement | null): void {
  for (const other of within.querySelectorAll('[data-replaced]'))
    if (other !== node) other.removeAttribute('data-replaced')
  node?.setAttribute('data-replaced', '')
}
