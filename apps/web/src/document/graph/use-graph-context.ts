import type { GraphContent, PortReference } from '@meadow/contract'
import type { EditorSolution } from '@meadow/contract/web'
import { useCallback, useMemo, useState } from 'react'
import type { Doc } from 'yjs'
import type { GraphStore } from '../state/store.ts'
import { listPinnedIds } from './editing/pins.ts'
import type { GraphContextValue, NodeMessage } from './nodes/graph-context.ts'
import type { Hover, HoveredPort } from './panels/use-hover.ts'
import type { ShowPanels } from './panels/use-panels.ts'

type Given = 'documentId' | 'teamId' | 'doc' | 'origin' | 'solution' | 'preview' | 'edit' | 'showsIcons'

interface ContextInput extends Pick<GraphContextValue, Given> {
  content: GraphContent
  store: GraphStore
  show: ShowPanels
  hover: Hover<HoveredPort>
  /** Whether values can be listed, where there are any. */
  listsValues: boolean
}

/** Returns the context of a graph. All nodes render again when it changes. */
export function useGraphContext(input: ContextInput): GraphContextValue {
  const { documentId, teamId, doc, origin, solution, preview, edit, showsIcons } = input
  const { content, store, show, listsValues } = input
  const { drafts, viewState } = store
  const { clusterIds, go, addressOf } = viewState
  const { show: showHover, hide: hideHover, close: closePort } = input.hover
  const messages = useMemo(() => groupMessages(solution), [solution])
  const pinnedIds = useMemo(() => listPinnedIds(content), [content])
  const mayList = listsValues && solution !== undefined
  const actions = useMemo(
    () => ({
      openDialog: (dialogId: string) => show({ dialogId }),
      openCluster: (nodeId: string) => go({ clusterIds: [...clusterIds, nodeId] }),
      goTo: (nodeId: string) => go({ clusterIds, nodeIds: [nodeId] }),
      addressOf: (nodeId: string) => addressOf({ clusterIds, nodeIds: [nodeId] }),
      isInCluster: clusterIds.length > 0,
      showValues: mayList ? (listed: PortReference) => show({ listed }) : undefined,
      showPort: (port: PortReference | undefined, anchor?: DOMRect) =>
        port && anchor ? showHover({ port, anchor }) : hideHover(),
      closePort,
    }),
    [show, clusterIds, go, addressOf, mayList, showHover, hideHover, closePort],
  )
  return useMemo(
    () => ({
      ...actions,
      documentId,
      teamId,
      doc,
      origin,
      solution,
      drafts,
      preview,
      messages,
      pinnedIds,
      edit,
      showsIcons,
    }),
    [
      actions,
      documentId,
      teamId,
      doc,
      origin,
      solution,
      drafts,
      preview,
      messages,
      pinnedIds,
      edit,
      showsIcons,
    ],
  )
}

const groupMessages = (solution: EditorSolution | undefined): ReadonlyMap<string, NodeMessage[]> =>
  Map.groupBy(solution?.messages ?? [], ({ nodeInstanceId }) => nodeInstanceId)

/** Returns what makes edits of a document, and says why the last one was not possible. */
export function useEdit(doc: Doc | undefined) {
  const [problem, setProblem] = useState<string>()
  const edit = useCallback(
    (change: (doc: Doc) => void) => {
      if (!doc) return
      try {
        change(doc)
        setProblem(undefined)
      } catch (error) {
        // The document package throws when an edit is not possible, with a message for users.
        setProblem(error instanceof Error ? error.message : 'That is not possible.')
      }
    },
    [doc],
  )
  return { edit, problem, setProblem }
}
