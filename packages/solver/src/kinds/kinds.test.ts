import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCanvasObject, findComponent, findParameterType } from '@meadow/document'
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

test('given a kind that the catalogue knows, then it has as many ports, and inputs of the same access', () => {
  const wrong = listKinds().flatMap((kind) => {
    if ('type' in kind) return []
    return kind.guids.flatMap((guid) => {
      const known = findComponent(guid)
      if (!known) return []
      const fits =
        (kind.inputs.length === known.inputs.length || kind.moreInputs !== undefined) &&
        (kind.outputs.length === known.outputs.length || kind.moreOutputs !== undefined)
      const access = kind.inputs.every(([, { access: own }], i) => own === known.inputs[i]?.access)
      const optional = kind.inputs.every(
        ([, { isOptional }], i) => isOptional || !known.inputs[i]?.isOptional,
      )
      return fits && access && optional ? [] : [`${known.name} ${guid}`]
    })
  })
  assert.deepEqual(wrong, [])
})

test('given a kind that the catalogue does not know, then it names itself and its ports', () => {
  const unnamed = listKinds().flatMap((kind) => {
    if ('type' in kind)
      return kind.guids.filter((guid) => !findParameterType(guid) && !findCanvasObject(guid))
    return kind.guids.filter((guid) => {
      if (findComponent(guid)) return false
      return (
        kind.name === undefined ||
        [...kind.inputs, ...kind.outputs].some(([, { label }]) => label === undefined)
      )
    })
  })
  assert.deepEqual(unnamed, [])
})
