import type { ScriptLanguage } from '../graph/node-state.ts'
import { CANVAS_OBJECTS, SCRIPTS } from './canvas-objects.data.ts'
import { COMPONENTS, NAMED_COMPONENTS } from './components.data.ts'
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
}

export interface ComponentKind extends Kind {
  inputs: readonly LibraryPort[]
  outputs: readonly LibraryPort[]
  /** Users can add and remove ports, and files store them as ParameterData. */
  hasVariablePorts: boolean
}

/** A class of parameters, which is also a type of ports. */
export type ParameterType = Kind

/** Panels, sliders, groups, clusters: objects that are neither plain components nor plain parameters. */
export interface CanvasObject extends Kind {
  /** Undefined for objects without wires, and for those with ports of their own. */
  parameter?: { typeName: string; hasInput: boolean; hasOutput: boolean }
}

export interface ScriptKind {
  guid: string
  name: string
  /** Undefined if each script has its own. */
  language: ScriptLanguage | undefined
}

const PARAMETER_TYPES = new Map<string, ParameterType>(
  PARAMETERS.map(([guid, name, nickName, category, subcategory]) => [
    guid,
    { guid, name, nickName, category, subcategory },
  ]),
)

const OBJECTS = new Map<string, CanvasObject>(
  CANVAS_OBJECTS.map(([guid, name, nickName, category, subcategory, sides, typeName]) => {
    const object = { guid, name, nickName, category, subcategory }
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

const NAMES = new Map([...NAMED_COMPONENTS, ...COMPONENTS.map(([guid, name]) => [guid, name] as const)])

let components: ReadonlyMap<string, ComponentKind> | undefined

/** Parsed on first use. */
function getComponents(): ReadonlyMap<string, ComponentKind> {
  components ??= new Map(
    COMPONENTS.map(([guid, name, nickName, category, subcategory, ports, inputs, outputs]) => {
      const kind = { guid, name, nickName, category, subcategory, hasVariablePorts: ports === 'variable' }
      return [guid, { ...kind, inputs: readPorts(inputs), outputs: readPorts(outputs) }]
    }),
  )
  return components
}

/** A standard component with its ports in the order of files. */
export function findComponent(guid: string): ComponentKind | undefined {
  return getComponents().get(guid)
}

/** All standard components whose ports are known, by category, subcategory, name. */
export function listComponents(): ComponentKind[] {
  return [...getComponents().values()]
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
