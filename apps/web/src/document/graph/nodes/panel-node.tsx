import { readPortData } from '@meadow/contract/web'
import type { PanelState } from '@meadow/document'
import { setPanelText } from '@meadow/document/live'
import { useQuery } from '@tanstack/react-query'
import type { NodeProps } from '@xyflow/react'
import { memo, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { queryOf } from '../../../api/queries.ts'
import type { PreviewController } from '../../preview/preview-controller.ts'
import type { PortPage } from '../../preview/preview-messages.ts'
import { formatValue } from '../../values/format-value.ts'
import type { FlowNode } from '../layout/flow-nodes.ts'
import { labelOf } from '../layout/node-box.ts'
import { useGraph } from './graph-context.ts'
import { NodeFrame } from './node-frame.tsx'
import styles from './nodes.module.css'

/** A panel: its text, which is edited in place, or the data of its wire. */
export const PanelNode = memo(function PanelNode({ data: { node }, selected }: NodeProps<FlowNode>) {
  const { doc, origin, edit } = useGraph()
  const state = node.state as PanelState
  const [draft, setDraft] = useState<string>()
  const isWired = (node.sources[node.instanceId]?.length ?? 0) > 0
  const save = () => {
    if (draft !== undefined && draft !== state.text)
      edit((live) => setPanelText(live, node.instanceId, draft, origin))
    setDraft(undefined)
  }
  return (
    <NodeFrame node={node} isSelected={selected ?? false} className={styles.panel}>
      {node.nickName !== '' && <div className={styles.panelName}>{labelOf(node)}</div>}
      {draft !== undefined && (
        <textarea
          className={`${styles.panelText} nodrag nowheel nopan`}
          aria-label={`Text of ${labelOf(node)}`}
          // biome-ignore lint/a11y/noAutofocus: the user asked to edit the text.
          autoFocus
          value={draft}
          onChange={({ currentTarget }) => setDraft(currentTarget.value)}
          onBlur={save}
          onKeyDown={(event) => {
            event.stopPropagation()
            if (event.key === 'Escape') setDraft(undefined)
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save()
          }}
        />
      )}
      {draft === undefined && (
        // biome-ignore lint/a11y/noStaticElementInteractions: Enter on the node does the same.
        <div
          className={`${styles.panelText} ${selected ? 'nowheel' : ''}`}
          data-edit
          style={{ textAlign: state.alignment === 'centre' ? 'center' : state.alignment }}
          onDoubleClick={(event) => {
            event.stopPropagation()
            if (doc && !isWired) setDraft(state.text)
          }}
        >
          {isWired ? <PanelData nodeInstanceId={node.instanceId} /> : state.text}
        </div>
      )}
    </NodeFrame>
  )
})

const MAX_VALUES = 100

/** The data of a panel's port, one value per line: of the preview, or of the stored solution. */
function PanelData({ nodeInstanceId }: { nodeInstanceId: string }) {
  const { documentId, solution, preview } = useGraph()
  const previewed = usePreviewedPanel(preview, nodeInstanceId)
  const query = useQuery({
    ...queryOf(readPortData, {
      params: [documentId, solution?.id ?? '', nodeInstanceId, nodeInstanceId],
      query: { limit: MAX_VALUES },
    }),
    enabled: !preview && solution?.nodes[nodeInstanceId]?.ports[nodeInstanceId] !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  // What was shown last stays until the data of the next solution is here.
  const last = useRef<PortPage>(undefined)
  const page = previewed ?? query.data
  useEffect(() => {
    if (page) last.current = page
  }, [page])
  const shown = page ?? (query.isFetching ? last.current : undefined)
  if (!shown) return null
  const { tree, next } = shown
  const isTree = tree.branches.length > 1
  const lines = tree.branches.flatMap(({ path, values }) => [
    ...(isTree ? [path] : []),
    ...values.map(formatValue),
  ])
  return `${lines.join('\n')}${next === null ? '' : '\n…'}`
}

const NO_PREVIEW = { subscribe: () => () => {}, read: () => undefined }

function usePreviewedPanel(preview: PreviewController | undefined, id: string): PortPage | undefined {
  const { subscribe, read } = preview?.panels ?? NO_PREVIEW
  return useSyncExternalStore(subscribe, () => read()?.get(id))
}
