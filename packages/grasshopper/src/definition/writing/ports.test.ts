import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { GraphContent, Node, Port } from '@meadow/document'
import type { Chunk } from '../../archive/tree/archive.ts'
import { findChunk, findItem, listChunks, listItems } from '../../archive/tree/find.ts'
import {
  buildDefinition,
  buildId,
  buildItem,
  buildObject,
  buildPort,
  buildSources,
} from '../../testing/build-archive.ts'
import { NUMBER_CLASS } from '../../testing/build-cluster.ts'
import { buildNode } from '../../testing/build-node.ts'
import { buildOriginal, ID } from '../../testing/build-original.ts'
import {
  assertComesBack,
  buildContent,
  importDefinition,
  writeAndRead,
} from '../../testing/write-and-read.ts'
import { readDefinition } from '../read-definition.ts'

const original = buildOriginal().bytes
const start = () => importDefinition(original)
const getNode = (content: GraphContent, number: number): Node => content.nodes[buildId(number)] as Node
const getContainer = (content: GraphContent, number: number): Chunk => {
  const { bytes } = writeAndRead(content, { original })
  return findChunk(readDefinition(bytes).objects.get(buildId(number)) as Chunk, 'Container') as Chunk
}
const port = (name: string, typeName: string): Port => ({
  name,
  nickName: name,
  typeName,
  access: 'tree',
  flags: [],
})
const wire = (node: number, id: number) => ({ nodeInstanceId: buildId(node), portInstanceId: buildId(id) })

describe('variable ports', () => {
  test('[GHD-41] given ports added, removed and in another order, when written, then the remaining ones keep their chunks', () => {
    const content = start()
    const merge = getNode(content, ID.merge)
    merge.inputs = { [buildId(ID.mergeB)]: 0, [buildId(700)]: 1 }
    merge.ports = {
      [buildId(ID.mergeB)]: merge.ports[buildId(ID.mergeB)] as Port,
      [buildId(700)]: port('Data 2', 'Integer'),
      [buildId(ID.mergeOut)]: merge.ports[buildId(ID.mergeOut)] as Port,
    }
    merge.sources = { [buildId(700)]: [wire(ID.plugin, ID.pluginOut)] }
    assertComesBack(content, { original })
    const data = findChunk(getContainer(content, ID.merge), 'ParameterData') as Chunk
    const ports = listChunks(data, 'InputParam')
    assert.deepEqual(
      ports.map((chunk) => findItem(chunk, 'Secret', 'string')),
      ['B', undefined],
    )
    assert.equal(findItem(ports[1] as Chunk, 'Mutable', 'bool'), false)
    assert.equal(findItem(data, 'InputCount', 'int32'), 2)
    assert.deepEqual(listItems(data, 'InputId', 'guid'), [
      '8ec86459-bf01-4409-baee-174d0d2b13d0',
      '2e3ab970-8545-46bb-836c-1c11e5610bce',
    ])
  })

  test('[GHD-41] given a port of another type, when written, then its type’s id follows', () => {
    const content = start()
    const merge = getNode(content, ID.merge)
    merge.ports[buildId(ID.mergeA)] = { ...(merge.ports[buildId(ID.mergeA)] as Port), typeName: 'Curve' }
    assertComesBack(content, { original })
  })

  test('[GHD-41] given variables of scripts, when a new script is written, then they have the items of script ports', () => {
    const content = start()
    const script = {
      ...buildNode('ceab6e56-ceec-a646-84d5-363c57440969', 700),
      state: { kind: 'script', language: 'python2', source: '' },
    }
    content.nodes[script.instanceId] = {
      ...script,
      templateId: 'b6ba1144-02d6-4a2d-b53c-ec62e290eeb7',
      ports: {},
      inputs: {},
      outputs: {},
    }
    const made = getNode(content, 700)
    Object.assign(made.state ?? {}, { language: 'csharp', languageSpec: '*.*.csharp *.*' })
    made.inputs = { [buildId(701)]: 0 }
    made.outputs = { [buildId(702)]: 0, [buildId(703)]: 1 }
    made.ports = {
      [buildId(701)]: { ...port('x', 'Script Parameter'), access: 'list' },
      [buildId(702)]: { ...port('out', 'Text'), access: 'item' },
      [buildId(703)]: { ...port('a', 'Script Parameter'), access: 'item' },
    }
    assertComesBack(content, { original })
    const container = getContainer(content, 700)
    const [input] = listChunks(findChunk(container, 'ParameterData') as Chunk, 'InputParam')
    assert.equal(findItem(input as Chunk, 'ScriptParamAccess', 'int32'), 1)
    assert.ok(findChunk(input as Chunk, 'ConverterData'))
    assert.equal(findItem(container, 'UsingStandardOutputParam', 'bool'), true)
  })
})

describe('fixed ports', () => {
  test('[GHD-41] given other ids, when written, then ports and wires have them', () => {
    const content = start()
    const text = JSON.stringify(content)
      .replaceAll(buildId(ID.pluginIn), buildId(701))
      .replaceAll(buildId(ID.pluginOut), buildId(702))
    assertComesBack(JSON.parse(text), { original })
  })

  test('[GHD-41] given one port more and one less, when written, then they stay, no wire is lost to nowhere, with a warning', () => {
    const content = start()
    const plugin = getNode(content, ID.plugin)
    plugin.outputs = { [buildId(ID.pluginOut)]: 0, [buildId(701)]: 1 }
    plugin.ports[buildId(701)] = port('More', 'Data')
    getNode(content, ID.merge).sources = {
      [buildId(ID.mergeA)]: [wire(ID.plugin, 701), wire(ID.plugin, ID.pluginOut)],
    }
    const { content: read, warnings } = writeAndRead(content, { original })
    assert.deepEqual(read.nodes[buildId(ID.plugin)]?.outputs, { [buildId(ID.pluginOut)]: 0 })
    assert.deepEqual(read.nodes[buildId(ID.merge)]?.sources, {
      [buildId(ID.mergeA)]: [wire(ID.plugin, ID.pluginOut)],
    })
    assert.deepEqual(
      warnings.map(({ kind, nodeInstanceId, portInstanceId }) => [kind, nodeInstanceId, portInstanceId]),
      [
        ['ports_kept', buildId(ID.plugin), undefined],
        ['fact_left_out', buildId(ID.merge), buildId(ID.mergeA)],
      ],
    )
  })

  test('[GHD-41] given a removed port of a cluster, when written, then the cluster keeps it, since its content needs it', () => {
    const content = start()
    const cluster = getNode(content, ID.cluster)
    cluster.inputs = {}
    delete cluster.ports[buildId(ID.clusterIn)]
    const { warnings } = writeAndRead(content, { original })
    assert.deepEqual(
      warnings.map(({ kind }) => kind),
      ['ports_kept'],
    )
  })
})

describe('properties of ports', () => {
  test('[GHD-41] given every fact switched on and off again, when written, then they come and go', () => {
    const content = start()
    const facts: Partial<Port> = {
      flags: ['flatten', 'simplify', 'reverse'],
      options: ['optional', 'principal', 'reparameterize', 'degrees', 'invert'],
      expression: 'x+1',
      access: 'list',
    }
    const plugin = getNode(content, ID.plugin)
    const bare = plugin.ports[buildId(ID.pluginIn)] as Port
    plugin.ports[buildId(ID.pluginIn)] = { ...bare, ...facts }
    assertComesBack(content, { original })
    const { bytes } = writeAndRead(content, { original })
    plugin.ports[buildId(ID.pluginIn)] = bare
    assertComesBack(content, { original: bytes })
  })

  test('[GHD-41] given a port that flattens and grafts, when written, then it grafts, with a warning', () => {
    const content = start()
    const plugin = getNode(content, ID.plugin)
    Object.assign(plugin.ports[buildId(ID.pluginIn)] ?? {}, { flags: ['graft', 'flatten'] })
    const { content: read, warnings } = writeAndRead(content, { original })
    assert.deepEqual(read.nodes[buildId(ID.plugin)]?.ports[buildId(ID.pluginIn)]?.flags, ['graft'])
    assert.deepEqual(
      warnings.map(({ kind, portInstanceId }) => [kind, portInstanceId]),
      [['fact_left_out', buildId(ID.pluginIn)]],
    )
  })
})

describe('names of parameters', () => {
  const rename = (edit: (node: Node) => void) => {
    const content = start()
    edit(getNode(content, ID.number))
    const { content: read, warnings } = writeAndRead(content, { original })
    const node = read.nodes[buildId(ID.number)]
    return { names: [node?.nickName, node?.ports[buildId(ID.number)]?.nickName], warnings }
  }

  test('[GHD-39] given a nickname changed on the node or on its port, when written, then both have it', () => {
    const byNode = rename((node) => {
      node.nickName = 'Count'
    })
    const byPort = rename((node) => {
      Object.assign(node.ports[buildId(ID.number)] ?? {}, { nickName: 'Count' })
    })
    const expected = { names: ['Count', 'Count'], warnings: [] }
    assert.deepEqual([byNode, byPort], [expected, expected])
  })

  test('[GHD-39] given a parameter made here whose port is called otherwise, when written, then the node’s names count', () => {
    const node = buildNode(NUMBER_CLASS, 1, { nickName: 'Count' })
    Object.assign(node.ports[buildId(1)] ?? {}, { name: 'Any', nickName: 'Num' })
    const { content, warnings } = writeAndRead(buildContent([node]))
    assert.deepEqual(
      [content.nodes[buildId(1)]?.nickName, content.nodes[buildId(1)]?.name],
      ['Count', 'Number'],
    )
    assert.deepEqual(warnings, [])
  })

  test('[GHD-39] given a cluster with another name, when written, then it is listed under it too', () => {
    const content = start()
    getNode(content, ID.cluster).name = 'Rafter'
    assertComesBack(content, { original })
    const object = readDefinition(writeAndRead(content, { original }).bytes).objects.get(
      buildId(ID.cluster),
    ) as Chunk
    assert.equal(findItem(object, 'Name', 'string'), 'Rafter')
  })
})

describe('status and position', () => {
  test('[GHD-39] given an object of 2011, when disabled and hidden, then its own items are written', () => {
    const old = [
      buildItem('bool', 'Enabled', true),
      buildItem('bool', 'Preview', true),
      buildPort('param_input', 0, 2),
    ]
    const file = buildDefinition([
      buildObject({ guid: '11111111-2222-4333-8444-555555555555', id: 1, container: old }),
    ])
    const content = importDefinition(file)
    getNode(content, 1).status = { isEnabled: false, isPreviewed: false }
    assertComesBack(content, { original: file })
    const { bytes } = writeAndRead(content, { original: file })
    const container = findChunk(readDefinition(bytes).objects.get(buildId(1)) as Chunk, 'Container') as Chunk
    assert.deepEqual(
      container.items.filter(({ type }) => type === 'bool').map(({ name, value }) => [name, value]),
      [
        ['Enabled', false],
        ['Preview', false],
      ],
    )
  })

  test('[GHD-38] given an object without a position, or with only a box, when moved, then it is where the node is', () => {
    const box = { x: 1, y: 2, width: 30, height: 40 }
    const boxed = {
      name: 'Attributes',
      index: -1,
      items: [buildItem('drawing_rectanglef', 'Bounds', box)],
      chunks: [],
    }
    const file = buildDefinition([
      buildObject({ guid: NUMBER_CLASS, id: 1, container: buildSources() }),
      buildObject({ guid: NUMBER_CLASS, id: 2, container: [...buildSources(), boxed] }),
    ])
    const content = importDefinition(file)
    for (const id of [1, 2]) getNode(content, id).position = { x: 12.5, y: -3 }
    assertComesBack(content, { original: file })
    const { bytes } = writeAndRead(content, { original: file })
    const container = findChunk(readDefinition(bytes).objects.get(buildId(2)) as Chunk, 'Container') as Chunk
    assert.deepEqual(findItem(findChunk(container, 'Attributes') as Chunk, 'Bounds', 'drawing_rectanglef'), {
      ...box,
      x: 12.5,
      y: -3,
    })
  })

  test('[GHD-38] given a position that is not a single, when written, then it is a near one', () => {
    const content = start()
    getNode(content, ID.number).position = { x: 0.1, y: 1e300 }
    const { content: read } = writeAndRead(content, { original })
    assert.deepEqual(read.nodes[buildId(ID.number)]?.position, { x: Math.fround(0.1), y: 0 })
  })
})

test('[GHD-40] given a port whose wires change, when written, then its wire without a sender is lost, and other ports keep theirs', () => {
  const content = start()
  getNode(content, ID.plugin).sources = {}
  const container = getContainer(content, ID.number)
  assert.deepEqual(listItems(container, 'Source', 'guid'), [buildId(ID.nowhere), buildId(ID.slider)])
  getNode(content, ID.number).sources = { [buildId(ID.number)]: [wire(ID.panel, ID.panel)] }
  const changed = getContainer(content, ID.number)
  assert.deepEqual(listItems(changed, 'Source', 'guid'), [buildId(ID.panel)])
  assert.equal(findItem(changed, 'SourceCount', 'int32'), 1)
})
