import type { NodeTypes } from '@xyflow/react'
import type { NodeShape } from '../layout/node-box.ts'
import { ComponentNode, ParameterNode, RelayNode, ScribbleNode, SketchNode } from './component-nodes.tsx'
import { SliderNode, SwatchNode, ToggleNode, ValueListNode } from './input-nodes.tsx'
import { PanelNode } from './panel-node.tsx'

/** The component that renders each shape of node. */
export const NODE_TYPES = {
  component: ComponentNode,
  parameter: ParameterNode,
  slider: SliderNode,
  panel: PanelNode,
  toggle: ToggleNode,
  valueList: ValueListNode,
  swatch: SwatchNode,
  scribble: ScribbleNode,
  sketch: SketchNode,
  relay: RelayNode,
} satisfies Record<NodeShape, NodeTypes[string]>
