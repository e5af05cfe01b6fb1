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

export interface GivenDefinition {
  /** What each panel says. */
  text?: string
  /** How many panels there are. */
  panels?: number
  /** Each panel has a wire from an object that is not there. */
  danglingWire?: boolean
  form?: ArchiveForm
}

/** The bytes of a small definition: one panel, by default. */
export function createDefinitionFile(fixtures: GivenDefinition = {}): Uint8Array {
  const { text = 'hello', panels = 1, danglingWire = false, form = 'gh' } = fixtures
  const objects = Array.from({ length: panels }, (_, index) => createPanel(index, text, danglingWire))
  return writeDefinitionFile(objects, form)
}

/** The bytes of a definition with these objects. */
export function writeDefinitionFile(objects: readonly Chunk[], form: ArchiveForm = 'gh'): Uint8Array {
  const definition = chunk(
    'Definition',
    [item('plugin_version', 'version', { major: 1, minor: 0, revision: 8 })],
    [createObjectList(objects)],
  )
  const version = item('ArchiveVersion', 'version', { major: 0, minor: 2, revision: 2 })
  return writeArchive({ root: chunk('Root', [version], [definition]) }, { form })
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
