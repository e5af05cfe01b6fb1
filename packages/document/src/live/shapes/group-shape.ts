import { isColour } from './data-tree-shape.ts'
import { isId } from './node-shape.ts'
import { isListOf, isObject, isText } from './shape.ts'

export const isGroup = isObject({
  id: isId,
  label: isText,
  colour: isColour,
  nodeInstanceIds: isListOf(isId),
  groupIds: isListOf(isId),
})
