import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { DataValue, GraphContent, Node, PortReference } from '@meadow/contract'
import type { PaletteEntry } from '@meadow/contract/web'
import { createDataTree, findComponent, listParameterTypes } from '@meadow/document'
import { addNodes, connect, createLiveDocument, createNode, readLiveDocument } from '@meadow/document/live'
import { readDefinition, writeDefinition } from '@meadow/grasshopper'
import { loadKernels, solve } from '@meadow/solver'
import { startWebApp } from '../../testing/start-web-app.ts'

const plane = (...origin: [number, number, number]) => ({
  origin,
  xAxis: [1, 0, 0] as [number, number, number],
  yAxis: [0, 1, 0] as [number, number, number],
})
const domain = (start: number, end: number) => ({ start, end })
const box = (start: number, end: number): DataValue => ({
  type: 'box',
  value: { plane: plane(0, 0, 0), x: domain(start, end), y: domain(start, end), z: domain(start, end) },
})
const points: DataValue[] = [
  [0, 0, 0] as const,
  [4, 0, 0] as const,
  [4, 3, 0] as const,
  [0, 3, 1] as const,
].map(([...value]) => ({ type: 'point', value }))

/** Parameters that data of a type comes from: items take one of them, lists and trees all. */
const LITERALS: Readonly<Record<string, readonly (readonly [parameter: string, value: DataValue])[]>> = {
  Boolean: [['Boolean', { type: 'boolean', value: true }]],
  Integer: [['Integer', { type: 'integer', value: 2 }]],
  Number: [0.5, 0.75].map((value) => ['Number', { type: 'number', value }] as const),
  Text: [['Text', { type: 'string', value: '1' }]],
  Colour: [['Colour', { type: 'colour', value: '#ff8000ff' }]],
  Domain: [['Domain', { type: 'domain', value: domain(0.2, 0.8) }]],
  'Data Path': [['Data Path', { type: 'path', value: '{0}' }]],
  Point: points.map((value) => ['Point', value] as const),
  Vector: [[1, 0, 1] as const, [0, 1, 1] as const].map(
    ([...value]) => ['Vector', { type: 'vector', value }] as const,
  ),
  Plane: [plane(0, 0, 0.5), { ...plane(0, 0, 0.5), yAxis: [0, 0, 1] as [number, number, number] }].map(
    (value) => ['Plane', { type: 'plane', value }] as const,
  ),
  Line: [
    ['Line', { type: 'line', value: { from: [-3, 0.2, -3], to: [3, 1, 4] } }],
    ['Line', { type: 'line', value: { from: [-3, 2, 0], to: [3, 0.2, 0.5] } }],
  ],
  Circle: [['Circle', { type: 'circle', value: { plane: plane(0, 0, 0), radius: 1 } }]],
  Rectangle: [
    [
      'Rectangle',
      { type: 'rectangle', value: { plane: plane(0, 0, 0.5), x: domain(0, 4), y: domain(0, 3) } },
    ],
  ],
  Curve: [
    [
      'Rectangle',
      { type: 'rectangle', value: { plane: plane(0, 0, 0.5), x: domain(0, 4), y: domain(0, 3) } },
    ],
    ['Circle', { type: 'circle', value: { plane: plane(1, 1, 0.5), radius: 2.5 } }],
  ],
  Box: [['Box', box(0, 1)]],
  Geometry: [['Box', box(0, 1)]],
  Brep: [
    ['Box', box(0, 1)],
    ['Box', box(0.5, 2)],
  ],
  Data: [0.5, 0.75].map((value) => ['Number', { type: 'number', value }] as const),
  Variant: [['Number', { type: 'number', value: 0.5 }]],
}

/** Components that make data of the other types: class, and output. */
const MAKERS: Readonly<Record<string, readonly [templateId: string, output: string]>> = {
  'Circular Arc': ['bb59bffc-f54c-4682-9778-f6c3fe74fce3', 'Arc'],
  Surface: ['439a55a5-2f9e-4f66-9de2-32f24fec2ef5', 'Plane'],
  Mesh: ['2696bd14-3fb5-4750-827f-86df6c31d664', 'Mesh'],
  'Mesh Face': ['1cb59c86-7f6b-4e52-9a0c-6441850e9520', 'Face'],
  'Mesh Point': ['a559fee2-4b76-4370-8042-c7440cd75049', 'Parameter'],
  'Mesher Settings': ['255ca3e9-2c1e-443a-a404-e76b5c63f4cb', 'Settings'],
  'Domain²': ['8555a743-36c1-42b8-abcc-06d9cb94519f', '2D Domain'],
  Transform: ['e9eb1dcf-92f6-4d4d-84ae-96222d60f56b', 'Transform'],
  Group: ['874eebe7-835b-4f4f-9811-97e031c41597', 'Group'],
  Matrix: ['54ac80cf-74f3-43f7-834c-0e3fe94632c6', 'Matrix'],
  'Twisted Box': ['4f65c681-9331-4818-9d54-6290cae686c3', 'Twisted Box'],
  Complex: ['63d12974-2915-4ccf-ac26-5d566c3bac92', 'Complex'],
  Time: ['0c2f0932-5ddc-4ece-bd84-a3a059d3df7a', 'Date'],
  'Symbol Display': ['79747717-1874-4c34-b790-faef53b50569', 'Symbol Display'],
  Shader: ['76975309-75a6-446a-afed-f8653720a9f2', 'Material'],
}

/** Types without literals in Meadow, and without a component that makes them: such inputs stay as they are. */
const WITHOUT_DATA: readonly string[] = [
  'Atom',
  'Constant',
  'Coordinate Mask',
  'Culture',
  'Field',
  'File Path',
  'Geometry Cache',
  'Guid',
  'Location',
  'Loft Options',
  'Marshalling signal parameter',
  'SubD',
]

/** Texts that an input has to have, by the name of the kind and of the input. */
const TEXTS: Readonly<Record<string, string>> = {
  'Read File/File': 'points.csv',
  'Relative Item/Offset': '{0}',
  'Relative Items/Offset': '{0}',
  'Split Tree/Masks': '{0}',
  'Evaluate/Expression': 'x + y',
}

/** A live document in which each kind has wires to its inputs and from its outputs. */
function openGarden() {
  const doc = createLiveDocument({ nodes: {}, groups: [], configuration: { inputs: [], outputs: [] } })
  const types = new Map(listParameterTypes().map(({ name, guid }) => [name, guid]))
  const known = new Map<string, readonly PortReference[]>()

  const add = (templateId: string, value?: DataValue): Node => {
    const node = createNode(templateId, { position: { x: 0, y: 0 } })
    if (value) node.values[node.instanceId] = createDataTree([{ path: [0], values: [value] }])
    addNodes(doc, [node])
    return node
  }
  const addParameter = (type: string, value?: DataValue): PortReference => {
    const { instanceId } = add(types.get(type) ?? '', value)
    return { nodeInstanceId: instanceId, portInstanceId: instanceId }
  }
  const addMaker = ([templateId, output]: readonly [string, string]): PortReference => {
    const node = add(templateId)
    wireInputs(node)
    const port = Object.keys(node.outputs).find((id) => node.ports[id]?.name === output)
    assert.ok(port, output)
    return { nodeInstanceId: node.instanceId, portInstanceId: port }
  }
  const listSenders = (type: string): readonly PortReference[] => {
    const senders =
      known.get(type) ??
      LITERALS[type]?.map(([parameter, value]) => addParameter(parameter, value)) ??
      (MAKERS[type] ? [addMaker(MAKERS[type])] : [])
    known.set(type, senders)
    assert.ok(senders.length > 0 || WITHOUT_DATA.includes(type), `no data of type ${type}`)
    return senders
  }
  const wireInputs = (node: Node): void => {
    for (const [input, index] of Object.entries(node.inputs)) {
      const { name, typeName, access } = node.ports[input]!
      if (node.values[input]) continue
      const text = TEXTS[`${node.name}/${name}`]
      const senders =
        text === undefined ? listSenders(typeName) : [addParameter('Text', { type: 'string', value: text })]
      const chosen = access === 'item' ? senders.slice(index % senders.length).slice(0, 1) : senders
      const to = { nodeInstanceId: node.instanceId, portInstanceId: input }
      for (const from of chosen) connect(doc, { from, to })
    }
  }
  const wireOutputs = (node: Node): void => {
    const outputs = Object.keys(node.outputs)
    if (outputs.length === 0) return
    const to = addParameter('Data')
    for (const output of outputs) {
      connect(doc, { from: { nodeInstanceId: node.instanceId, portInstanceId: output }, to })
    }
  }
  return {
    place: (templateId: string): void => {
      const node = add(templateId)
      wireInputs(node)
      wireOutputs(node)
    },
    read: (): GraphContent => readLiveDocument(doc),
  }
}

/** Errors that these kinds rightly report for these inputs, by their name. */
const NOT_MET =
  'Only straight curves are intersected with bent faces, and curves that lie in a face or touch a bent one are not supported'

const RIGHT_ERRORS: Readonly<Record<string, string>> = {
  'Blend Curve Pt': 'Which blend there is for a point that none or several pass through is not published',
  'Item Index':
    'Grasshopper finds only the very same item, not an equal one, and here only equality is known',
  'Plane Region': 'Two bounds are needed that cross the plane beside its origin',
  'Replace Items': 'Which of several items belong to another number of indices is not published',
  'Sub List': 'How a domain with fractions is rounded is not published',
  'Control Point Loft':
    'At least two curves are needed, with the same degree and the same number of control points',
  'Extrude Along': 'Only smooth curves are extruded along smooth curves',
  IsoVist: 'Rays along a curve or a face, and rays that touch a bent face, are not supported',
  'Split with Breps': NOT_MET,
  'Trim with Breps': NOT_MET,
  'Voronoi Cell': 'Points that are not inside of the box, or in the same place, are not supported',
  'Boundary Surfaces':
    'Surfaces inside curves that overlap or are equal are not supported: what Rhino makes of them is not published',
  'Collision One|Many':
    'Collisions are solved for curves, and for closed shapes with flat faces that neither touch nor contain each other',
  'Circle Fit': 'How Rhino fits a circle to points that are not in a plane is not published',
  'Curve Nearest Object': 'The closest points of a curve and a surface or mesh are not supported',
  'Nurbs Curve PWK': 'The knots do not fit the points',
  'Tangent Arcs': 'The circles have the same centre',
  'Tangent Curve': 'Two points or more are needed, and a tangent for each',
  'Tangent Lines (Ex)': 'The circles have the same centre',
  'Tangent Lines (In)': 'The circles have the same centre',
  'Construct Matrix': 'What becomes of missing and of further values is not published',
  'Delaunay Edges': 'Points in one line, and points in the same place, are not supported',
  'Edge Surface':
    'Edges that form no loop, that have kinks or weights, or three of which one is bent are not supported',
  'Project Along': 'Converting Number to Geometry is not supported',
  Project: 'Converting Number to Geometry is not supported',
  'Project Point': 'Projections onto bent curves and groups, and where a ray touches, are not supported',
  'Sum Surface': 'How Rhino splits the sum of curves with kinks is not published',
  'Curve To Polyline': 'Polylines along bent curves, or with edges of given lengths, are not supported',
  'Image Sampler': 'The picture of an Image Sampler is not in the document',
  'Numbers to Points': 'The numbers do not make whole points',
  'Read File':
    'The file “points.csv” is not beside the document. Upload it to the folder of the document, and solve again.',
  'Region Union': 'Regions of curves that enclose no area are not supported',
  'Right Trigonometry': 'No triangle has these angles and edges',
  'Sort Text': 'There must be as many values as keys',
  'Surface From Points': 'U Count has to divide the number of points, into rows of at least 2',
  'Mesh | Mesh': 'Meshes that touch in a vertex or an edge, or along faces, are not intersected',
  'Surface Split': 'Only flat surfaces are split, along curves in their plane',
  Sweep1:
    'Sweeps are solved for one section at an end of a straight line or an arc: how Rhino blends others is not published',
  'Move Away From': 'Which points of such geometry count for its distance is not published',
  Shear: 'How points in the plane, or at different heights, are sheared is not published',
  'Tangent Lines': 'The point is not outside the circle',
  'Triangle Mapping': 'Only triangles with an area are mapped',
  'Triangle Trigonometry': 'No triangle has these angles and edges',
  'Trim Solid':
    'Only closed solids with flat faces and straight edges are combined: a cutter has a face in the plane of another face',
  Voronoi: 'Voronoi cells are solved inside of a boundary and without a radius',
  'Voronoi 3D': 'Points that are not inside of the box, or in the same place, are not supported',
}

test('[PAL-2] given every kind of the palette, when it is placed, wired and solved, then it computes, or says why not for these inputs', async (t) => {
  const content = await placeAll(t)
  const { messages } = solve(content, { kernels: await loadKernels(content) })
  const errors = messages
    .filter(({ level }) => level === 'error')
    .map(({ nodeInstanceId, message }) => [content.nodes[nodeInstanceId]?.name, message])
  assert.deepEqual(Object.fromEntries(errors.toSorted(([a = ''], [b = '']) => a.localeCompare(b, 'en'))), {
    ...RIGHT_ERRORS,
    ...(await listUnsolved(t)),
  })
  const withoutInput = messages
    .filter(({ message }) => message.includes('failed to collect data'))
    .map(({ nodeInstanceId }) => content.nodes[nodeInstanceId]!)
  const canHaveData = ({ inputs, ports }: Node) =>
    Object.keys(inputs).every((id) => !WITHOUT_DATA.includes(ports[id]?.typeName ?? ''))
  assert.deepEqual(
    withoutInput.filter(canHaveData).map(({ name }) => name),
    [],
  )
})

test('[PAL-3] given every kind of the palette, when it is placed and wired, then a file has it with its ports, values and wires', async (t) => {
  const { nodes, ...rest } = await placeAll(t)
  const { bytes, warnings } = writeDefinition({ name: 'Kinds', nodes, ...rest })
  const read = readDefinition(bytes).content.nodes
  for (const [id, node] of Object.entries(nodes)) assert.deepEqual(toJson(read[id]), toJson(node))
  const withWarning = warnings.map(({ nodeInstanceId = '' }) => nodes[nodeInstanceId]?.name)
  assert.deepEqual(withWarning.sort(), ['Colour Picker', 'Colour Wheel', 'Digit Scroller'])
})

/** What a solution says of the kinds that the palette says not to be solved. */
async function listUnsolved(t: TestContext): Promise<Record<string, string>> {
  const { open } = await startWebApp(t)
  const kinds: PaletteEntry[] = (await open().get('/palette')).json.kinds
  return Object.fromEntries(
    kinds.flatMap(({ templateId, unsolved }) =>
      unsolved === null ? [] : [[findComponent(templateId)?.name ?? templateId, unsolved]],
    ),
  )
}

let placed: GraphContent | undefined

/** A document with every kind of the palette; the same one for all tests. */
async function placeAll(t: TestContext): Promise<GraphContent> {
  if (placed) return placed
  const { open } = await startWebApp(t)
  const kinds: PaletteEntry[] = (await open().get('/palette')).json.kinds
  assert.ok(kinds.length > 450)
  const garden = openGarden()
  for (const { templateId } of kinds) garden.place(templateId)
  placed = garden.read()
  return placed
}

/** State that a node lacks has the values of Grasshopper in a file. */
function toJson({ state: _, ...node }: Partial<Node> = {}): unknown {
  return JSON.parse(JSON.stringify(node))
}
