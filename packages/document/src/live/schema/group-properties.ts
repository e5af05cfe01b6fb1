import { isColour } from './data-tree-shape.ts'
import { isId } from './graph-shapes.ts'
import type { Property } from './property.ts'
import { isFlag, isText } from './shape.ts'

/** The editable properties of a group. Each member is a separate property. */
export const GROUP_PROPERTIES = {
  label: { ids: [], value: isText, computes: false },
  colour: { ids: [], value: isColour, computes: false },
  node: { ids: [isId], value: isFlag, computes: false },
  group: { ids: [isId], value: isFlag, computes: false },
} as const satisfies Record<string, Property>

export type GroupPropertyName = keyof typeof GROUP_PROPERTIES
