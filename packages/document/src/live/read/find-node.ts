import type { Node } from '@meadow/contract'
import { listEdits } from '../facts/list-edits.ts'
import { NODE_FACTS } from '../facts/node-facts.ts'
import { isFacts } from '../layout.ts'
import { applyPortEdits } from './apply-port-edits.ts'
import { applyStateEdits } from './apply-state-edits.ts'
import { applyValueEdits } from './apply-value-edits.ts'
import { applyWireEdits } from './apply-wire-edits.ts'
import { findBorn } from './find-born.ts'

/**
 * A node as it was born with what was edited since, valid by itself: its wires may lead to nowhere, and its ports may
 * be another node's. Undefined where nothing valid was born.
 */
export function findNode(id: string, facts: unknown): Node | undefined {
  if (!isFacts(facts)) return undefined
  const born = findBorn(id, facts)
  if (!born || facts._map.size === 1) return born
  const edits = listEdits(NODE_FACTS, facts)
  const find = (name: keyof typeof NODE_FACTS) => edits.find((edit) => edit.name === name)?.value
  const { inputs, outputs, ports } = applyPortEdits(born, edits)
  const order = [...Object.keys(inputs), ...Object.keys(outputs)]
  const state = applyStateEdits(born.state, edits)
  return {
    instanceId: id,
    templateId: born.templateId,
    name: born.name,
    nickName: (find('nickName') as string | undefined) ?? born.nickName,
    position: (find('position') as Node['position'] | undefined) ?? born.position,
    status: {
      isEnabled: (find('isEnabled') as boolean | undefined) ?? born.status.isEnabled,
      isPreviewed: (find('isPreviewed') as boolean | undefined) ?? born.status.isPreviewed,
    },
    inputs,
    outputs,
    sources: applyWireEdits(born.sources, edits, order),
    values: applyValueEdits(born.values, edits, order),
    ports,
    ...(state ? { state } : {}),
  }
}
