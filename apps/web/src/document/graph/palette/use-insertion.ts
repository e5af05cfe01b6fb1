import type { GraphContent, Node } from '@meadow/contract'
import { placeLibraryItem } from '@meadow/contract/web'
import { addNodes, createNode, pasteNodes } from '@meadow/document/live'
import { useMutation } from '@tanstack/react-query'
import { useReactFlow } from '@xyflow/react'
import { useRef, useState } from 'react'
import type { Doc } from 'yjs'
import { call } from '../../../api/call.ts'
import { useRemembered } from '../../../shell/first-render.ts'
import { takeKinds } from './kind-drag.ts'
import { addRecent } from './list-tabs.ts'

interface InsertionInput {
  documentId: string
  content: GraphContent
  /** The live document; undefined for readers. */
  doc: Doc | undefined
  origin: unknown
  edit: (change: (doc: Doc) => void) => void
  /** Shows a sentence about what is not possible. */
  fail: (message: string) => void
  onSelect: (ids: ReadonlySet<string>) => void
}

/**
 * The offset between nodes that are inserted one after the other, in canvas units, and the number of nodes after which it
 * starts again.
 */
const STEP = 28
const STEPS = 6

export type Insertion = ReturnType<typeof useInsertion>

/** Inserts kinds on the canvas from the list of components, and replaces nodes by them. */
export function useInsertion({ documentId, content, doc, origin, edit, fail, onSelect }: InsertionInput) {
  const { screenToFlowPosition } = useReactFlow()
  const stage = useRef<HTMLDivElement>(null)
  const inserted = useRef(0)
  const [isRemembered, setIsRemembered] = useRemembered('meadow.components', false)
  /** Whether the list was opened on this page, and so takes the focus. */
  const [isOpened, setIsOpened] = useState(false)
  const [recent, setRecent] = useRemembered<string[]>('meadow.components.recent', [])
  /** What the last replacement dropped. */
  const [notice, setNotice] = useState<string>()
  const { mutate: fetchItem, isPending } = useMutation({
    mutationFn: ({ fileId }: { fileId: string; position: Node['position'] }) =>
      call(placeLibraryItem, { params: [documentId], body: { fileId } }),
    onSuccess: ({ node }, { fileId, position }) => latest.current(fileId, node, position),
    onError: ({ message }) => fail(message),
  })
  const paste = (fileId: string, node: Node, { x, y }: Node['position']) =>
    edit((live) => {
      const offset = { x: x - node.position.x, y: y - node.position.y }
      const { ids } = pasteNodes(live, { nodes: [node] }, offset, origin)
      onSelect(new Set([ids.get(node.instanceId)!]))
      setRecent(addRecent(recent, fileId))
    })
  const add = (id: string, position: Node['position']) => {
    if (isFileId(id)) fetchItem({ fileId: id, position })
    else addKind(id, position)
  }
  const addKind = (templateId: string, position: Node['position']) =>
    edit((live) => {
      const node = createNode(templateId, { position })
      addNodes(live, [node], origin)
      onSelect(new Set([node.instanceId]))
      setRecent(addRecent(recent, templateId))
    })
  const replace = (nodeId: string, templateId: string) =>
    void import('./replace-search.tsx').then(
      ({ replaceKind }) =>
        edit((live) => {
          const old = content.nodes[nodeId]
          if (!old) return
          const { nodeInstanceId, notice } = replaceKind(live, old, templateId, origin)
          onSelect(new Set([nodeInstanceId]))
          setRecent(addRecent(recent, templateId))
          setNotice(notice)
        }),
      () => fail('The node cannot be replaced: reload the page once the server answers.'),
    )
  // The document may have changed while a library item was on its way.
  const latest = useRef(paste)
  latest.current = paste
  const drops = takeKinds((templateId, at, nodeId) => {
    // The ports of a library item are not known yet, so it replaces no node.
    if (nodeId === undefined || isFileId(templateId)) add(templateId, screenToFlowPosition(at))
    else replace(nodeId, templateId)
  })
  return {
    stage,
    isDockOpen: isRemembered && doc !== undefined,
    takesFocus: isOpened,
    recent,
    toggleDock: () => {
      setIsOpened(!isRemembered)
      setIsRemembered(!isRemembered)
      if (isRemembered) stage.current?.querySelector<HTMLElement>('[data-opens-components]')?.focus()
    },
    /** Adds a node in the middle of what is in view. */
    insert: (templateId: string) => {
      const { left = 0, top = 0, width = 0, height = 0 } = stage.current?.getBoundingClientRect() ?? {}
      const { x, y } = screenToFlowPosition({ x: left + width / 2, y: top + height / 2 })
      const offset = (inserted.current++ % STEPS) * STEP
      add(templateId, { x: x + offset, y: y + offset })
    },
    /** Adds a library item at a point of the canvas. */
    insertItem: (fileId: string, position: Node['position']) => fetchItem({ fileId, position }),
    /** Whether a library item is on its way. */
    isInserting: isPending,
    replace,
    drops: doc ? drops : {},
    notice,
    closeNotice: () => setNotice(undefined),
  }
}

const isFileId = (id: string): boolean => id.startsWith('fil_')
