import type { ValueListState } from '@meadow/document'
import { chooseItems } from '@meadow/document/live'
import type { NodeProps } from '@xyflow/react'
import { memo } from 'react'
import type { FlowNode } from '../flow.ts'
import { useGraph } from '../graph-context.ts'
import { labelOf } from '../node-shape.ts'
import { NodeFrame } from './node-frame.tsx'
import styles from './nodes.module.css'

export const ValueListNode = memo(function ValueListNode({ data: { node }, selected }: NodeProps<FlowNode>) {
  const { doc, origin, edit, openDialog } = useGraph()
  const { items, mode } = node.state as ValueListState
  const chosen = items.flatMap(({ isSelected }, place) => (isSelected ? [String(place)] : []))
  const isMultiple = mode === 'checkList'
  return (
    <NodeFrame node={node} isSelected={selected ?? false} className={styles.box}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the menu of the node does the same. */}
      <span className={styles.sliderLabel} onDoubleClick={() => doc && openDialog(node.instanceId)}>
        {labelOf(node)}
      </span>
      <select
        className={`${styles.select} nodrag nowheel`}
        aria-label={labelOf(node)}
        disabled={!doc}
        multiple={isMultiple}
        size={1}
        tabIndex={-1}
        value={isMultiple ? chosen : (chosen[0] ?? '')}
        onChange={({ currentTarget }) => {
          const places = [...currentTarget.selectedOptions].map(({ value }) => Number(value))
          edit((live) => chooseItems(live, node.instanceId, places, origin))
        }}
      >
        {items.map(({ name }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an item is known by its place; names may repeat.
          <option key={place} value={place}>
            {name}
          </option>
        ))}
      </select>
    </NodeFrame>
  )
})
