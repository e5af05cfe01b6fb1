import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  buildDefinition,
  buildId,
  buildItem,
  buildObject,
  buildPort,
  buildSources,
} from '../../testing/build-archive.ts'
import { CLASS } from '../model/class-ids.ts'
import { readDefinition } from '../read-definition.ts'

const NUMBER = '3e8ca6be-fda8-4aaf-b5c0-3c54c8bb7312'
const parameter = (id: number) => buildObject({ guid: NUMBER, id, container: buildSources() })
const group = (id: number, nickName: string, ...members: number[]) =>
  buildObject({
    guid: CLASS.group,
    id,
    nickName,
    container: members.map((member, i) => buildItem('guid', 'ID', buildId(member), i)),
  })
const pin = (node: number, port = node) => ({ nodeInstanceId: buildId(node), portInstanceId: buildId(port) })

test('[GHD-17] given groups in groups with deleted members, when read, then the existing ones are members', () => {
  const coloured = group(10, 'Outer', 1, 99, 11, 1)
  coloured.chunks[0]?.items.push(buildItem('drawing_color', 'Colour', 0x640000ff))
  const { content, notes } = readDefinition(buildDefinition([coloured, parameter(1), group(11, 'Inner', 1)]))
  assert.deepEqual(content.groups, [
    {
      id: buildId(10),
      label: 'Outer',
      colour: '#0000ff64',
      nodeInstanceIds: [buildId(1)],
      groupIds: [buildId(11)],
    },
    { id: buildId(11), label: 'Inner', colour: '#aa87ff96', nodeInstanceIds: [buildId(1)], groupIds: [] },
  ])
  assert.deepEqual(notes, [])
})

test('[GHD-17] given a group that contains itself, when read, then it no longer does, with a note', () => {
  const { content, notes } = readDefinition(buildDefinition([group(10, '', 10)]))
  assert.deepEqual(content.groups[0]?.groupIds, [])
  assert.deepEqual(notes, [
    {
      kind: 'repaired',
      repair: { kind: 'group_member_dropped', groupId: buildId(10), droppedId: buildId(10) },
    },
  ])
})

test('[GHD-18] given groups labelled for callers, when read, then the port of their one parameter is pinned', () => {
  const objects = [1, 2, 3, 4].map(parameter)
  const groups = [
    group(10, 'RH_IN:radius', 1),
    group(11, 'RH_OUT:area', 2),
    group(12, 'RH_IN:both', 3, 4),
    group(13, 'Other', 3),
  ]
  const scribbled = [buildObject({ guid: CLASS.scribble, id: 5 }), group(14, 'RH_OUT:noted', 5, 4)]
  const { content } = readDefinition(buildDefinition([...objects, ...groups, ...scribbled]))
  assert.deepEqual(content.configuration, { inputs: [pin(1)], outputs: [pin(2), pin(4)] })
})

test('[GHD-18] given a component alone in a group for outputs, when read, then all its outputs are pinned', () => {
  const ports = [
    buildPort('param_input', 0, 20),
    buildPort('param_output', 0, 21),
    buildPort('param_output', 1, 22),
  ]
  const component = buildObject({ guid: '11111111-2222-4333-8444-555555555555', id: 2, container: ports })
  const { content } = readDefinition(
    buildDefinition([component, group(10, 'RH_OUT:mesh', 2), group(11, 'RH_IN:mesh', 2)]),
  )
  assert.deepEqual(content.configuration, { inputs: [], outputs: [pin(2, 21), pin(2, 22)] })
})

test('[GHD-18] given inputs and outputs for callers, when read, then their ports are pinned', () => {
  const getNumber = buildObject({
    guid: '7b36b876-9451-46f5-8220-a200d969cc66',
    id: 1,
    container: [...buildSources(), buildItem('string', 'Prompt', ''), buildItem('int32', 'AtLeast', 1)],
  })
  const bake = buildObject({ guid: CLASS.contextBake, id: 2, container: [buildPort('param_input', 0, 20)] })
  const { content } = readDefinition(buildDefinition([getNumber, bake, group(10, 'RH_IN:n', 1)]))
  assert.deepEqual(content.configuration, { inputs: [pin(1)], outputs: [pin(2, 20)] })
})
