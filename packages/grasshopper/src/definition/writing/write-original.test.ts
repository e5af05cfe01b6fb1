import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { GraphContent, Node } from '@meadow/document'
import { writeInflatedArchive } from '../../archive/forms/write-binary.ts'
import { readArchive } from '../../archive/read-archive.ts'
import type { Chunk, Item } from '../../archive/tree/archive.ts'
import { findChunk, findItem, listChunks, listItems } from '../../archive/tree/find.ts'
import { writeArchive } from '../../archive/write-archive.ts'
import { buildId } from '../../testing/build-archive.ts'
import { NUMBER_CLASS } from '../../testing/build-cluster.ts'
import { buildNode } from '../../testing/build-node.ts'
import { buildOriginal, ID, PLUGIN_CLASS } from '../../testing/build-original.ts'
import { assertComesBack, importDefinition, writeAndRead } from '../../testing/write-and-read.ts'
import { readDefinition } from '../read-definition.ts'
import { writeDefinition } from '../write-definition.ts'

const original = buildOriginal()
const start = () => importDefinition(original.bytes)
const getNode = (content: GraphContent, number: number): Node => content.nodes[buildId(number)] as Node
const save = (content: GraphContent) => writeAndRead(content, { original: original.bytes })

/** Every item and chunk of an archive in a line each, with its way from the root. */
function list(chunk: Chunk, where = chunk.name): string[] {
  const show = ({ value }: Item) =>
    JSON.stringify(value, (_, it) =>
      typeof it === 'bigint' ? `${it}n` : it instanceof Uint8Array ? [...it] : it,
    )
  return [
    ...chunk.items.map((item) => `${where}/${item.name}#${item.index} ${item.type} ${show(item)}`),
    ...chunk.chunks.flatMap((child) => list(child, `${where}/${child.name}#${child.index}`)),
  ]
}

/** The differences from the original: removed lines (`-`) and added lines (`+`). */
function listChanges(bytes: Uint8Array): string[] {
  const [before, after] = [original.archive, readArchive(bytes)].map(({ root }) => list(root))
  const show = (line: string) => line.replace('Root/Definition#-1/DefinitionObjects#-1/', '')
  const removed = before?.filter((line) => !after?.includes(line)) ?? []
  const come = after?.filter((line) => !before?.includes(line)) ?? []
  return [...removed.map((line) => `- ${show(line)}`), ...come.map((line) => `+ ${show(line)}`)]
}

const getContainer = (bytes: Uint8Array, number: number): Chunk =>
  findChunk(readDefinition(bytes).objects.get(buildId(number)) as Chunk, 'Container') as Chunk

describe('an unchanged document', () => {
  test('[GHD-36] given the form of the original, when written, then the bytes are those of the original', () => {
    for (const form of ['gh', 'ghx'] as const) {
      const bytes = writeArchive(original.archive, { form })
      const written = writeDefinition({ name: 'Any', ...start() }, { original: bytes, form })
      assert.deepEqual(written, { bytes: new Uint8Array(bytes), warnings: [] })
      assert.notEqual(written.bytes.buffer, bytes.buffer)
    }
  })

  test('[GHD-36] given the other form, when written, then the archive is the same item by item', () => {
    const written = writeDefinition({ name: 'Any', ...start() }, { original: original.bytes, form: 'ghx' })
    const [before, after] = [original.archive, readArchive(written.bytes)].map(writeInflatedArchive)
    assert.deepEqual(after, before)
    assert.deepEqual(written.warnings, [])
  })

  test('[GHD-36] given geometry that was measured since, when written, then it is still unchanged', () => {
    const content = start()
    const measured = JSON.parse(
      JSON.stringify(content).replaceAll('"boundingBox":null', '"boundingBox":[[0,0,0],[1,1,1]]'),
    )
    assert.deepEqual(
      writeDefinition({ name: 'Any', ...measured }, { original: original.bytes }).bytes,
      original.bytes,
    )
  })
})

describe('only differences', () => {
  const edits: Record<string, { edit: (content: GraphContent) => void; changes: string[] }> = {
    'a move': {
      edit: (content) => {
        getNode(content, ID.plugin).position = { x: 510, y: 96 }
      },
      changes: [
        '- Object#4/Container#-1/Attributes#-1/Bounds#-1 drawing_rectanglef {"x":460,"y":78,"width":80,"height":44}',
        '- Object#4/Container#-1/Attributes#-1/Pivot#-1 drawing_pointf {"x":500,"y":100}',
        '- Object#4/Container#-1/param_input#0/Attributes#-1/Bounds#-1 drawing_rectanglef {"x":430,"y":78,"width":80,"height":44}',
        '- Object#4/Container#-1/param_input#0/Attributes#-1/Pivot#-1 drawing_pointf {"x":470,"y":100}',
        '- Object#4/Container#-1/param_output#0/Attributes#-1/Bounds#-1 drawing_rectanglef {"x":490,"y":78,"width":80,"height":44}',
        '- Object#4/Container#-1/param_output#0/Attributes#-1/Pivot#-1 drawing_pointf {"x":530,"y":100}',
        '+ Object#4/Container#-1/Attributes#-1/Bounds#-1 drawing_rectanglef {"x":470,"y":74,"width":80,"height":44}',
        '+ Object#4/Container#-1/Attributes#-1/Pivot#-1 drawing_pointf {"x":510,"y":96}',
        '+ Object#4/Container#-1/param_input#0/Attributes#-1/Bounds#-1 drawing_rectanglef {"x":440,"y":74,"width":80,"height":44}',
        '+ Object#4/Container#-1/param_input#0/Attributes#-1/Pivot#-1 drawing_pointf {"x":480,"y":96}',
        '+ Object#4/Container#-1/param_output#0/Attributes#-1/Bounds#-1 drawing_rectanglef {"x":500,"y":74,"width":80,"height":44}',
        '+ Object#4/Container#-1/param_output#0/Attributes#-1/Pivot#-1 drawing_pointf {"x":540,"y":96}',
      ],
    },
    'a new value of a slider': {
      edit: (content) => {
        getNode(content, ID.slider).values = tree({ type: 'number', value: 7.25 }, ID.slider)
      },
      changes: [
        '- Object#1/Container#-1/Slider#-1/Value#-1 double 4',
        '+ Object#1/Container#-1/Slider#-1/Value#-1 double 7.25',
      ],
    },
    'a new range of a slider': {
      edit: (content) => Object.assign(getNode(content, ID.slider).state ?? {}, { maximum: 20, decimals: 1 }),
      changes: [
        '- Object#1/Container#-1/Slider#-1/Digits#-1 int32 2',
        '- Object#1/Container#-1/Slider#-1/Max#-1 double 10',
        '+ Object#1/Container#-1/Slider#-1/Digits#-1 int32 1',
        '+ Object#1/Container#-1/Slider#-1/Max#-1 double 20',
      ],
    },
    'a new text of a panel': {
      edit: (content) => {
        const panel = getNode(content, ID.panel)
        Object.assign(panel.state ?? {}, { text: 'One\nThree' })
        panel.values[buildId(ID.panel)]?.branches[0]?.values.splice(1, 1, { type: 'string', value: 'Three' })
      },
      changes: [
        '- Object#3/Container#-1/UserText#-1 string "One\\r\\nTwo"',
        '+ Object#3/Container#-1/UserText#-1 string "One\\r\\nThree"',
      ],
    },
    'a name, disabled, hidden': {
      edit: (content) => {
        const plugin = getNode(content, ID.plugin)
        plugin.nickName = 'Wefts'
        plugin.status = { isEnabled: false, isPreviewed: false }
      },
      changes: [
        '- Object#4/Container#-1/NickName#-1 string "Weave"',
        '+ Object#4/Container#-1/Hidden#-1 bool true',
        '+ Object#4/Container#-1/Locked#-1 bool true',
        '+ Object#4/Container#-1/NickName#-1 string "Wefts"',
      ],
    },
    'flags, options and an expression of a port': {
      edit: (content) => {
        const port = getNode(content, ID.plugin).ports[buildId(ID.pluginIn)]
        const facts = {
          flags: ['graft', 'reverse'],
          options: ['optional', 'reparameterize'],
          expression: 'x*2',
          access: 'list',
        }
        Object.assign(port ?? {}, facts)
      },
      changes: [
        '+ Object#4/Container#-1/param_input#0/Access#-1 int32 1',
        '+ Object#4/Container#-1/param_input#0/InternalExpression#-1 string "x*2"',
        '+ Object#4/Container#-1/param_input#0/Mapping#-1 int32 2',
        '+ Object#4/Container#-1/param_input#0/Optional#-1 bool true',
        '+ Object#4/Container#-1/param_input#0/Reparameterize#-1 bool true',
        '+ Object#4/Container#-1/param_input#0/ReverseData#-1 bool true',
      ],
    },
    'a wire more, beside one from nowhere': {
      edit: (content) => {
        getNode(content, ID.merge).sources[buildId(ID.mergeB)] = [
          wire(ID.slider),
          wire(ID.plugin, ID.pluginOut),
        ]
      },
      changes: [
        '- Object#5/Container#-1/ParameterData#-1/InputParam#1/SourceCount#-1 int32 0',
        `+ Object#5/Container#-1/ParameterData#-1/InputParam#1/Source#0 guid "${buildId(ID.slider)}"`,
        `+ Object#5/Container#-1/ParameterData#-1/InputParam#1/Source#1 guid "${buildId(ID.pluginOut)}"`,
        '+ Object#5/Container#-1/ParameterData#-1/InputParam#1/SourceCount#-1 int32 2',
      ],
    },
    'a group with another label, colour and members': {
      edit: (content) => {
        Object.assign(content.groups[0] ?? {}, {
          label: 'Design',
          colour: '#01020304',
          nodeInstanceIds: [buildId(ID.slider), buildId(ID.panel)],
        })
      },
      changes: [
        '- Object#0/Container#-1/Colour#-1 drawing_color 2527758335',
        `- Object#0/Container#-1/ID#1 guid "${buildId(ID.nowhere)}"`,
        '- Object#0/Container#-1/NickName#-1 string "Input"',
        '+ Object#0/Container#-1/Colour#-1 drawing_color 67174915',
        `+ Object#0/Container#-1/ID#1 guid "${buildId(ID.panel)}"`,
        '+ Object#0/Container#-1/NickName#-1 string "Design"',
      ],
    },
    'a value beside one that only its plug-in reads': {
      edit: (content) => {
        const tree = getNode(content, ID.plugin).values[buildId(ID.pluginIn)]
        tree?.branches[0]?.values.splice(1, 1, { type: 'number', value: 5 })
      },
      changes: [
        '- Object#4/Container#-1/param_input#0/PersistentData#-1/Branch#0/Item#1/number#-1 double 3',
        '+ Object#4/Container#-1/param_input#0/PersistentData#-1/Branch#0/Item#1/number#-1 double 5',
      ],
    },
    'a moved note': {
      edit: (content) => {
        getNode(content, ID.scribble).position = { x: 15, y: 20 }
      },
      changes: [
        '- Object#7/Container#-1/Ca#-1 drawing_pointf {"x":10,"y":20}',
        '- Object#7/Container#-1/Cb#-1 drawing_pointf {"x":90,"y":20}',
        '- Object#7/Container#-1/Cc#-1 drawing_pointf {"x":90,"y":40}',
        '- Object#7/Container#-1/Cd#-1 drawing_pointf {"x":10,"y":40}',
        '- Object#7/Container#-1/Attributes#-1/Pivot#-1 drawing_pointf {"x":10,"y":20}',
        '+ Object#7/Container#-1/Ca#-1 drawing_pointf {"x":15,"y":20}',
        '+ Object#7/Container#-1/Cb#-1 drawing_pointf {"x":95,"y":20}',
        '+ Object#7/Container#-1/Cc#-1 drawing_pointf {"x":95,"y":40}',
        '+ Object#7/Container#-1/Cd#-1 drawing_pointf {"x":15,"y":40}',
        '+ Object#7/Container#-1/Attributes#-1/Pivot#-1 drawing_pointf {"x":15,"y":20}',
      ],
    },
  }

  for (const [what, { edit, changes }] of Object.entries(edits)) {
    test(`[GHD-35] given ${what}, when written, then the file differs in that, and comes back`, () => {
      const content = start()
      edit(content)
      const { bytes } = save(content)
      assert.deepEqual(listChanges(bytes).sort(), changes.toSorted())
      assertComesBack(content, { original: original.bytes })
    })
  }
})

const wire = (node: number, port = node) => ({ nodeInstanceId: buildId(node), portInstanceId: buildId(port) })
const tree = (value: { type: 'number'; value: number }, port: number) => ({
  [buildId(port)]: { branches: [{ path: '{0}', values: [value] }] },
})

describe('objects', () => {
  test('[GHD-35] given a node that was removed, when written, then the others move up and no wire leads to it', () => {
    const content = start()
    delete content.nodes[buildId(ID.plugin)]
    getNode(content, ID.merge).sources = {}
    const { bytes } = save(content)
    const objects = findChunk(
      findChunk(readArchive(bytes).root, 'Definition') as Chunk,
      'DefinitionObjects',
    ) as Chunk
    assert.equal(findItem(objects, 'ObjectCount', 'int32'), 7)
    assert.deepEqual(
      listChunks(objects, 'Object').map(({ index }) => index),
      [0, 1, 2, 3, 4, 5, 6],
    )
    assert.ok(!list(readArchive(bytes).root).some((line) => line.includes(buildId(ID.pluginOut))))
    assertComesBack(content, { original: original.bytes })
  })

  test('[GHD-35] given a node and a group that were added, when written, then they come last and nothing else changes', () => {
    const content = start()
    content.nodes[buildId(500)] = buildNode(NUMBER_CLASS, 500, { position: { x: 1, y: 2 } })
    content.groups.push({
      id: buildId(600),
      label: 'New',
      colour: '#00112233',
      nodeInstanceIds: [buildId(500)],
      groupIds: [buildId(ID.group)],
    })
    const { bytes } = save(content)
    const changes = listChanges(bytes)
    assert.deepEqual(
      changes.filter((line) => line.startsWith('-')),
      ['- ObjectCount#-1 int32 8'],
    )
    assert.ok(
      changes.filter((line) => line.startsWith('+ Object#')).every((line) => /^\+ Object#[89]\//.test(line)),
    )
    assertComesBack(content, { original: original.bytes })
  })

  test('[GHD-35] given an id that is another kind of node now, when written, then the old object is removed', () => {
    const content = start()
    const { sources } = getNode(content, ID.number)
    content.nodes[buildId(ID.number)] = { ...buildNode(PARAMETER_OF_TEXT, ID.number), sources }
    assertComesBack(content, { original: original.bytes })
  })

  test('[GHD-44] given a copy of a plug-in’s node, when written, then it has the content of the plug-in, with its own ids', () => {
    const content = start()
    const copy = rename(getNode(content, ID.plugin), 700)
    content.nodes[copy.instanceId] = copy
    const { bytes, warnings } = save(content)
    const container = getContainer(bytes, 700)
    assert.equal(findItem(container, 'Secret', 'string'), 'only the plug-in knows')
    assert.deepEqual(
      warnings.map(({ kind, nodeInstanceId }) => [kind, nodeInstanceId]),
      [['hidden_content_copied', buildId(700)]],
    )
    const { content: read } = save(content)
    assert.deepEqual(read, JSON.parse(JSON.stringify(content)))
    assert.equal(
      readDefinition(bytes)
        .objects.get(buildId(700))
        ?.items.find(({ name }) => name === 'GUID')?.value,
      PLUGIN_CLASS,
    )
  })

  test('[GHD-44] given a copy of a cluster, when written, then its content is linked to the copy’s ports', () => {
    const content = start()
    const copy = rename(getNode(content, ID.cluster), 700)
    content.nodes[copy.instanceId] = copy
    const container = getContainer(save(content).bytes, 700)
    assert.deepEqual(findItem(container, 'ClusterDocument', 'bytearray'), new Uint8Array([9, 8, 7]))
    const map = findChunk(container, 'ParamMap') as Chunk
    assert.deepEqual(listItems(map, 'Key', 'guid'), [buildId(701), buildId(702)])
    assert.deepEqual(listItems(map, 'Value', 'guid'), [buildId(901), buildId(902)])
  })
})

const PARAMETER_OF_TEXT = '3ede854e-c753-40eb-84cb-b48008f14fd4'

/** The node under another id, its ports under those that follow. */
function rename(node: Node, number: number): Node {
  const ids = [node.instanceId, ...Object.keys(node.ports)]
  const text = ids.reduce(
    (json, id, i) => json.replaceAll(id, buildId(number + i)),
    JSON.stringify({ ...node, sources: {} }),
  )
  return JSON.parse(text)
}

describe('groups and pins', () => {
  test('[GHD-45] given groups in another order, when written, then they swap their positions', () => {
    const content = start()
    content.groups.unshift({
      id: buildId(600),
      label: '',
      colour: '#00112233',
      nodeInstanceIds: [],
      groupIds: [],
    })
    const first = save(content)
    assert.deepEqual(
      first.content.groups.map(({ id }) => id),
      [600, ID.group].map(buildId),
    )
    assert.deepEqual(first.warnings, [])
  })

  test('[GHD-46] given pinned ports that do not follow from groups, when written, then they are read back in order', () => {
    const content = start()
    content.configuration = {
      inputs: [wire(ID.slider), wire(ID.plugin, ID.pluginIn)],
      outputs: [wire(ID.merge, ID.mergeOut)],
    }
    assertComesBack(content, { original: original.bytes })
    const { bytes } = save(content)
    const back = { ...content, configuration: { inputs: [], outputs: [] } }
    assertComesBack(back, { original: bytes })
    assert.ok(
      !list(readArchive(writeAndRead(back, { original: bytes }).bytes).root).some((line) =>
        line.includes('Meadow'),
      ),
    )
  })

  test('[GHD-46] given a group for callers whose port is not pinned, when written, then it stays so', () => {
    const content = start()
    Object.assign(content.groups[0] ?? {}, { label: 'RH_IN:radius' })
    assert.deepEqual(content.configuration.inputs, [])
    assertComesBack(content, { original: original.bytes })
  })

  test('[GHD-46] given a group for callers that Grasshopper added since, when read, then its port is pinned too', () => {
    const content = start()
    content.configuration.inputs = [wire(ID.panel)]
    const { bytes } = save(content)
    const archive = readArchive(bytes)
    const change = (chunk: Chunk): void => {
      for (const item of chunk.items)
        if (item.value === 'Input' && item.type === 'string') item.value = 'RH_IN:radius'
      chunk.chunks.forEach(change)
    }
    change(archive.root)
    const { configuration } = importDefinition(writeArchive(archive, { form: 'gh' }))
    assert.deepEqual(configuration.inputs, [wire(ID.panel), wire(ID.slider)])
  })
})
