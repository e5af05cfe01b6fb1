import type { NodeTypes } from '@xyflow/react'
import type { NodeShape } from './node-shape.ts'
import { ComponentNode } from './nodes/component-node.tsx'
import { PanelNode } from './nodes/panel-node.tsx'
import { ParameterNode, RelayNode } from './nodes/parameter-node.tsx'
import { ScribbleNode } from './nodes/scribble-node.tsx'
import { SliderNode } from './nodes/slider-node.tsx'
import { SwatchNode } from './nodes/swatch-node.tsx'
import { ToggleNode } from './nodes/toggle-node.tsx'
import { ValueListNode } from './nodes/value-list-node.tsx'

/** What draws each shape of node. */
export const NODE_TYPES = {
  component: ComponentNode,
  parameter: ParameterNode,
  slider: SliderNode,
  panel: PanelNode,
  toggle: ToggleNode,
  valueList: ValueListNode,
  swatch: SwatchNode,
  scribble: ScribbleNode,
  relay: RelayNode,
} satisfies Record<NodeShape, NodeTypes[string]>
