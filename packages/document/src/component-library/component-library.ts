import type { ScriptLanguage } from '../graph/node-state.ts'
import { CANVAS_OBJECTS, SCRIPTS } from './canvas-objects.data.ts'
import type { ComponentRow, Icon, PortStorage } from './components/component-row.ts'
import { CURVE } from './components/curve.data.ts'
import { DISPLAY } from './components/display.data.ts'
import { INTERSECT } from './components/intersect.data.ts'
import { MATHS } from './components/maths.data.ts'
import { MESH } from './components/mesh.data.ts'
import { NAMED } from './components/named.data.ts'
import { OTHER } from './components/other.data.ts'
import { SETS } from './components/sets.data.ts'
import { SURFACE } from './components/surface.data.ts'
import { TRANSFORM } from './components/transform.data.ts'
import { VECTOR } from './components/vector.data.ts'
import { PARAMETERS } from './parameters.data.ts'
import { type LibraryPort, readPorts } from './port-notation.ts'

/** A class of objects that comes with Grasshopper. A GUID, lower case with dashes, identifies it; names are not unique. */
interface Kind {
  guid: string
  name: string
  /** What a new object shows on the canvas. */
  nickName: string
  category: string
  subcategory: string
  icon: Icon
}

export interface ComponentKind extends Kind {
  inputs: readonly LibraryPort[]
  outputs: readonly LibraryPort[]
  portStorage: PortStorage
}

/** A class of parameters, which is also a type of ports. */
export type ParameterType = Kind

/** Panels, sliders, groups, clusters: objects that are neither plain components nor plain parameters. */
export interface CanvasObject extends Kind {
  /** The only port; undefined for objects without wires, and for those with ports of their own. */
  parameter?: { typeName: string; hasInput: boolean; hasOutput: boolean }
}

export interface ScriptKind {
  guid: string
  name: string
  /** The language; undefined if each script has its own. */
  language: ScriptLanguage | undefined
}

const PARAMETER_TYPES = new Map<string, ParameterType>(
  PARAMETERS.map(([guid, name, nickName, category, subcategory, icon]) => [
    guid,
    { guid, name, nickName, category, subcategory, icon },
  ]),
)

const OBJECTS = new Map<string, CanvasObject>(
  CANVAS_OBJECTS.map(([guid, name, nickName, category, subcategory, icon, sides, typeName]) => {
    const object = { guid, name, nickName, category, subcategory, icon }
    if (sides === 'none') return [guid, object]
    return [
      guid,
      { ...object, parameter: { typeName, hasInput: sides !== 'out', hasOutput: sides !== 'in' } },
    ]
  }),
)

const SCRIPT_KINDS = new Map<string, ScriptKind>(
  SCRIPTS.map(([guid, name, language]) => [guid, { guid, name, language }]),
)

const COMPONENTS: readonly ComponentRow[] = [
  ...CURVE,
  ...DISPLAY,
  ...INTERSECT,
  ...MATHS,
  ...MESH,
  ...OTHER,
  ...SETS,
  ...SURFACE,
  ...TRANSFORM,
  ...VECTOR,
]

const NAMES = new Map([...NAMED, ...COMPONENTS.map(([guid, name]) => [guid, name] as const)])

/** The rows of all standard components, from whose literals types of ports are derived. */
export type StandardComponent = (
  | typeof CURVE
  | typeof DISPLAY
  | typeof INTERSECT
  | typeof MATHS
  | typeof MESH
  | typeof OTHER
  | typeof SETS
  | typeof SURFACE
  | typeof TRANSFORM
  | typeof VECTOR
)[number]

let components: ReadonlyMap<string, ComponentKind> | undefined

/** Returns the components by GUID, which are parsed on first use. */
function getComponents(): ReadonlyMap<string, ComponentKind> {
  components ??= new Map(
    COMPONENTS.map(([guid, name, nickName, category, subcategory, icon, portStorage, inputs, outputs]) => {
      const kind = { guid, name, nickName, category, subcategory, icon, portStorage }
      return [guid, { ...kind, inputs: readPorts(inputs), outputs: readPorts(outputs) }]
    }),
  )
  return components
}

/** A standard component with its ports in the order of files. */
export function findComponent(guid: string): ComponentKind | undefined {
  return getComponents().get(guid)
}

/** All standard components whose ports are known. */
export function listComponents(): ComponentKind[] {
  return [...getComponents().values()]
}

/** Whether a component is the version that Grasshopper offers, and that Rhino 7 reads, of those with its name. */
export function isOfferedVersion({ subcategory }: Pick<ComponentKind, 'subcategory'>): boolean {
  return !/ \((?:old|new)\)$/.test(subcategory)
}

/** The name of a standard component, also if its ports are not known. */
export function findComponentName(guid: string): string | undefined {
  return NAMES.get(guid)
}

export function findParameterType(guid: string): ParameterType | undefined {
  return PARAMETER_TYPES.get(guid)
}

export function listParameterTypes(): ParameterType[] {
  return [...PARAMETER_TYPES.values()]
}

export function findCanvasObject(guid: string): CanvasObject | undefined {
  return OBJECTS.get(guid)
}

export function listCanvasObjects(): CanvasObject[] {
  return [...OBJECTS.values()]
}

export function findScript(guid: string): ScriptKind | undefined {
  return SCRIPT_KINDS.get(guid)
}
