import { findComponent, type LibraryPort } from '@meadow/document'
import { CLASS } from './class-ids.ts'

type Ports = Readonly<Record<'input' | 'output', readonly LibraryPort[]>>

const port = (
  name: string,
  nickName: string,
  typeName: string,
  access: LibraryPort['access'] = 'item',
  defaults: LibraryPort['defaults'] = [],
): LibraryPort => ({ name, nickName, typeName, access, isOptional: false, defaults })

const everything = [{ type: 'string', value: '*' }] as const

/** Components that the component library lists among the canvas objects. Source: their ports in files. */
const OTHERS = new Map<string, Ports>([
  [CLASS.contextBake, { input: [port('Geometry', 'Geometry', 'Geometry', 'tree')], output: [] }],
  [CLASS.contextPrint, { input: [port('Text', 'Text', 'Text', 'tree')], output: [] }],
  [
    CLASS.import3dm,
    {
      input: [
        port('File', 'F', 'File Path'),
        port('Layer', 'L', 'Text', 'item', everything),
        port('Name', 'N', 'Text', 'item', everything),
      ],
      output: [port('Geometry', 'G', 'Geometry', 'list')],
    },
  ],
])

/** The ports that a new component of this class has. */
export function findDeclaredPorts(classId: string): Ports | undefined {
  const kind = findComponent(classId)
  return kind ? { input: kind.inputs, output: kind.outputs } : OTHERS.get(classId)
}

/** The ports that each component of this class has; undefined if they are variable or unknown. */
export function findLibraryPorts(classId: string): Ports | undefined {
  return findComponent(classId)?.hasVariablePorts ? undefined : findDeclaredPorts(classId)
}
