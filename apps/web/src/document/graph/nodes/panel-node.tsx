import type { PanelState } from '@meadow/document'
import { setPanelText } from '@meadow/document/live'
import type { NodeProps } from '@xyflow/react'
import { memo, useState } from 'react'
import type { FlowNode } from '../flow.ts'
import { useGraph } from '../graph-context.ts'
import { labelOf } from '../node-shape.ts'
import { PortText } from '../port-text.tsx'
import { NodeFrame } from './node-frame.tsx'
import styles from './nodes.module.css'

/** A panel shows its text, or what its wire brings; the text is edited in place. */
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
          // biome-ignore lint/a11y/noAutofocus: whoever asked to edit wants to type.
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
          className={`${styles.panelText} nowheel`}
          data-edit
          style={{ textAlign: state.alignment === 'centre' ? 'center' : state.alignment }}
          onDoubleClick={(event) => {
            event.stopPropagation()
            if (doc && !isWired) setDraft(state.text)
          }}
        >
          {isWired ? (
            <PortText nodeInstanceId={node.instanceId} portInstanceId={node.instanceId} />
          ) : (
            state.text
          )}
        </div>
      )}
    </NodeFrame>
  )
})
