import {
  type ArchiveForm,
  type Chunk,
  type Item,
  type ItemType,
  type ItemValues,
  writeArchive,
} from '@meadow/grasshopper'

const PANEL = '59e0b89a-e487-49f8-bab8-b5bab16be14c'
const NOWHERE = 'ffffffff-0000-4000-8000-000000000000'
const ROBOTS = 'dddddddd-0000-4000-8000-000000000000'

export interface GivenDefinition {
  /** What each panel says. */
  text?: string
  /** How many panels there are. */
  panels?: number
  /** Each panel has a wire from an object that is not there. */
  danglingWire?: boolean
  /** Three more nodes, with outputs: a script, a component of the plug-in Robots 1.6.9, and an Import 3DM. */
  unsolvable?: boolean
  /** The view that it was saved at. */
  view?: { x: number; y: number; zoom: number }
  form?: ArchiveForm
}

/** The bytes of a small definition: one panel, by default. */
export function createDefinitionFile(fixtures: GivenDefinition = {}): Uint8Array {
  const { text = 'hello', panels = 1, danglingWire = false, unsolvable = false, view, form = 'gh' } = fixtures
  const objects = Array.from({ length: panels }, (_, index) => createPanel(index, text, danglingWire))
  const all = unsolvable ? [...objects, ...createUnsolvable()] : objects
  return writeDefinitionFile(all, form, view ? [createProperties(view)] : [])
}

/** The bytes of a definition with these objects. */
export function writeDefinitionFile(
  objects: readonly Chunk[],
  form: ArchiveForm = 'gh',
  more: readonly Chunk[] = [],
): Uint8Array {
  const definition = chunk(
    'Definition',
    [item('plugin_version', 'version', { major: 1, minor: 0, revision: 8 })],
    [...more, LIBRARIES, createObjectList(objects)],
  )
  const version = item('ArchiveVersion', 'version', { major: 0, minor: 2, revision: 2 })
  return writeArchive({ root: chunk('Root', [version], [definition]) }, { form })
}

function createProperties({ x, y, zoom }: NonNullable<GivenDefinition['view']>): Chunk {
  const projection = [item('Target', 'drawing_point', { x, y }), item('Zoom', 'single', zoom)]
  return chunk('DefinitionProperties', [], [chunk('Projection', projection)])
}

/** The class of a standard component that cannot be supported. */
export const IMPORT_3DM = '317f1cb2-820d-4a8f-b5c8-5de3594ddfba'

/** The ids of the three nodes that Meadow does not solve. */
export const UNSOLVABLE_IDS = {
  script: 'aaaaaaaa-0000-4000-8000-000000000001',
  plugin: 'aaaaaaaa-0000-4000-8000-000000000002',
  import3dm: 'aaaaaaaa-0000-4000-8000-000000000003',
}

function createUnsolvable(): Chunk[] {
  const { script, plugin, import3dm } = UNSOLVABLE_IDS
  const code = item('CodeInput', 'string', 'a = 1')
  return [
    createComponent({ guid: '410755b1-224a-4c1e-a407-bf32fb45ea7e', id: script, name: 'Layout' }, [code]),
    createComponent({ guid: 'bbbbbbbb-0000-4000-8000-000000000000', id: plugin, name: 'Robot', lib: ROBOTS }),
    createComponent({ guid: IMPORT_3DM, id: import3dm, name: 'Import 3DM' }),
  ]
}

/** A component with one output. */
function createComponent(
  { guid, id, name, lib }: { guid: string; id: string; name: string; lib?: string },
  items: Item[] = [],
): Chunk {
  const own = [item('InstanceGuid', 'guid', id), item('Name', 'string', name), item('NickName', 'string', '')]
  const portId = id.replace('aaaaaaaa', 'cccccccc')
  const port = [
    item('InstanceGuid', 'guid', portId),
    item('Name', 'string', 'Out'),
    item('NickName', 'string', 'O'),
  ]
  const container = chunk('Container', [...own, ...items], [chunk('param_output', port, [], 0)])
  const library = lib === undefined ? [] : [item('Lib', 'guid', lib)]
  return chunk('Object', [item('GUID', 'guid', guid), ...library, item('Name', 'string', name)], [container])
}

export const createObjectList = (objects: readonly Chunk[]): Chunk =>
  chunk(
    'DefinitionObjects',
    [item('ObjectCount', 'int32', objects.length)],
    objects.map((object, index) => ({ ...object, index })),
  )

function createPanel(index: number, text: string, danglingWire: boolean): Chunk {
  const sources = danglingWire ? [item('Source', 'guid', NOWHERE, 0)] : []
  const container = chunk('Container', [
    item('InstanceGuid', 'guid', `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`),
    item('Name', 'string', 'Panel'),
    item('NickName', 'string', ''),
    item('SourceCount', 'int32', sources.length),
    ...sources,
    item('UserText', 'string', text),
  ])
  return chunk('Object', [item('GUID', 'guid', PANEL), item('Name', 'string', 'Panel')], [container], index)
}

export const chunk = (name: string, items: Item[], chunks: Chunk[] = [], index = -1): Chunk => ({
  name,
  index,
  items,
  chunks,
})

export const item = <T extends ItemType>(name: string, type: T, value: ItemValues[T], index = -1) =>
  ({ name, index, type, value }) as Item

const LIBRARIES = chunk(
  'GHALibraries',
  [item('Count', 'int32', 1)],
  [
    chunk(
      'Library',
      [item('Id', 'guid', ROBOTS), item('Name', 'string', 'Robots'), item('Version', 'string', '1.6.9')],
      [],
      0,
    ),
  ],
)
