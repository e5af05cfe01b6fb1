import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type ComponentKind,
  findCanvasObject,
  findComponent,
  findParameterType,
  type LibraryPort,
} from '@meadow/document'
import { getPortType } from '../conversions/port-types.ts'
import type { Kind } from './declaration/define-kind.ts'
import type { PortSpec } from './declaration/ports.ts'
import { listKinds } from './index.ts'

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

test('given all kinds, then each class belongs to only one of them, in lower case, with a description that is a sentence', () => {
  const guids = listKinds().flatMap((kind) => kind.guids)
  assert.deepEqual(
    guids.filter((guid, i) => guids.indexOf(guid) !== i),
    [],
  )
  assert.deepEqual(
    guids.filter((guid) => !GUID.test(guid)),
    [],
  )
  assert.deepEqual(
    listKinds().filter(({ description }) => !/^\p{Lu}.*\.$/su.test(description)),
    [],
  )
})

test('[F-10] given any kind, then the component library has its name, and its ports with the same access and a type that fits', () => {
  const wrong = listKinds().flatMap((kind) =>
    kind.guids.flatMap((guid) => {
      if ('type' in kind) return (findParameterType(guid) ?? findCanvasObject(guid)) ? [] : [guid]
      const known = findComponent(guid)
      if (!known) return [guid]
      const sides = [
        findDifference(kind.inputs, kind.moreInputs, known.inputs, known, 'input'),
        findDifference(kind.outputs, kind.moreOutputs, known.outputs, known, 'output'),
      ]
      return sides.flatMap((difference) => (difference ? [`${known.name} ${guid}: ${difference}`] : []))
    }),
  )
  assert.deepEqual(wrong, [`Pull Point 902289da-28dc-454b-98d4-b8f8aa234516: 3 ports, 2 in the library`])
})

type Side = 'input' | 'output'

/** What differs between the ports of a kind and those of the library. Pull Point has a third output since Rhino 8. */
function findDifference(
  own: Kind['inputs'],
  more: PortSpec | undefined,
  known: readonly LibraryPort[],
  { portStorage }: ComponentKind,
  side: Side,
): string | undefined {
  const fixed = known.filter(({ isRepeated }) => !isRepeated)
  const repeated = known.slice(fixed.length)
  if (repeated.some(({ isRepeated }) => !isRepeated)) return 'a port after the repeated ones'
  if (repeated.length > 0 !== (more !== undefined) && portStorage !== 'fixed') return 'repeated ports'
  const hasCount = more ? own.length <= known.length || fixed.length === 0 : own.length === known.length
  if (!hasCount) return `${own.length} ports, ${known.length} in the library`
  const odd = known.find((port, i) => !fits(own[i] ?? more, port, side))
  return odd && `${odd.name} has another type or access`
}

/**
 * A kind may read values that the library's port does not convert, and the reverse; and need less than it does. The
 * access of outputs says nothing in Grasshopper.
 */
function fits(
  own: PortSpec | undefined,
  { typeName, access, isOptional, defaults }: LibraryPort,
  side: Side,
): boolean {
  const type = getPortType(typeName)
  return (
    own !== undefined &&
    (own.type === type || own.type === 'any' || own.type === 'opaque' || type === 'any') &&
    (side === 'output' || own.access === access) &&
    (own.isOptional || !isOptional || defaults.length > 0)
  )
}
