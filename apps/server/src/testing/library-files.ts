import { type Chunk, writeArchive } from '@meadow/grasshopper'
import { openModelLibrary } from '@meadow/model'
import { chunk, createObjectList, item } from './definition-file.ts'

/** Of one pixel. */
const ICON = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const MULTIPLICATION = 'ce46b74e-00c9-43c4-805a-193b69ea4a11'
const OBJECT_ID = 'bbbbbbbb-0000-4000-8000-000000000001'

/** The bytes of a .3dm file in meters with one line on a layer of this name. */
export async function createLayeredModelFile(layer = 'Site'): Promise<Uint8Array> {
  await using library = openModelLibrary()
  const line = { type: 'line', from: { x: 0, y: 0, z: 0 }, to: { x: 1, y: 2, z: 3 } } as const
  const location = { nodeInstanceId: layer, portInstanceId: 'port', path: '{0}', index: 0 }
  const { bytes } = await library.write([{ ...location, value: line, nodeName: layer, portName: 'Line' }], {
    documentId: 'doc_model',
    archiveVersion: 7,
    units: 'meters',
    savedAt: new Date('2026-11-20T10:20:30Z'),
  })
  return bytes
}

/** The bytes of a .ghuser file with an icon, that places a Multiplication. */
export function createUserObjectFile(name = 'Find View', description = 'Finds a view'): Uint8Array {
  const object = writeArchive(
    { root: chunk('UserObject', [item('InstanceGuid', 'guid', OBJECT_ID)]) },
    { form: 'gh' },
  )
  const items = [
    item('Name', 'string', name),
    item('NickName', 'string', 'View'),
    item('Description', 'string', description),
    item('Category', 'string', 'Revit'),
    item('SubCategory', 'string', 'Custom'),
    item('BaseID', 'guid', MULTIPLICATION),
    item('Object', 'bytearray', object),
    item('Icon', 'bytearray', ICON),
  ]
  return writeArchive({ root: chunk('UserObject', items) }, { form: 'gh' })
}

const GH_PYTHON = '410755b1-224a-4c1e-a407-bf32fb45ea7e'

/** The bytes of a .ghuser file that places a script of this source. */
export function createScriptFile(name: string, source: string): Uint8Array {
  const object = [
    item('InstanceGuid', 'guid', OBJECT_ID),
    item('Name', 'string', name),
    item('NickName', 'string', name),
    item('CodeInput', 'string', source),
  ]
  const items = [
    item('Name', 'string', name),
    item('NickName', 'string', name),
    item('BaseID', 'guid', GH_PYTHON),
    item('Object', 'bytearray', writeArchive({ root: chunk('UserObject', object) }, { form: 'gh' })),
  ]
  return writeArchive({ root: chunk('UserObject', items) }, { form: 'gh' })
}

/** The bytes of a .ghcluster file with these objects in it. */
export function createClusterFile(name = 'Passing', objects: Chunk[] = []): Uint8Array {
  const content = writeArchive({ root: chunk('Document', [], [createObjectList(objects)]) }, { form: 'gh' })
  const items = [
    item('Name', 'string', name),
    item('InstanceGuid', 'guid', OBJECT_ID),
    item('ClusterDocument', 'bytearray', content),
  ]
  return writeArchive({ root: chunk('Cluster', items) }, { form: 'gh' })
}
