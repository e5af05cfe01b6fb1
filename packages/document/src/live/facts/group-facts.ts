import { isColour } from '../shapes/data-tree-shape.ts'
import { isId } from '../shapes/node-shape.ts'
import { isFlag, isText } from '../shapes/shape.ts'
import type { Fact } from './fact.ts'

/** Everything about a group that can be edited. Membership is a fact for each member. */
export const GROUP_FACTS = {
  label: { ids: [], value: isText, computes: false },
  colour: { ids: [], value: isColour, computes: false },
  node: { ids: [isId], value: isFlag, computes: false },
  group: { ids: [isId], value: isFlag, computes: false },
} as const satisfies Record<string, Fact>

export type GroupFact = keyof typeof GROUP_FACTS
