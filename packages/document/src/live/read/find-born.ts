import type { Node } from '@meadow/contract'
import { parseFact } from '../facts/fact-key.ts'
import { BIRTH, type Facts } from '../layout.ts'
import { isNode } from '../shapes/node-shape.ts'

/** The node as it was born, valid by itself. */
export function findBorn(id: string, facts: Facts): Node | undefined {
  const born = parseFact(facts.get(BIRTH))
  return isNode(born) && (born as Node).instanceId === id ? (born as Node) : undefined
}
