import { findCanvasObject, findComponent, findParameterType, type LibraryPort } from '@meadow/document'
import { TYPE_NAMES } from '../conversions/port-types.ts'
import type { AnyKind, Kind } from './declaration/define-kind.ts'
import type { PortSpec } from './declaration/ports.ts'
import { listFamilies } from './index.ts'

export interface PortDescription {
  name: string
  nickName: string
  type: string
  access: 'item' | 'list' | 'tree'
  isOptional: boolean
  /** Users can add more of it. */
  isRepeated: boolean
}

export interface KindDescription {
  guid: string
  name: string
  /** The topic of the kind. */
  family: string
  description: string
  inputs: PortDescription[]
  outputs: PortDescription[]
}

/** All supported classes, with names from the component library: sorted by family, then by name. */
export function describeKinds(): KindDescription[] {
  return listFamilies().flatMap(({ name: family, kinds }) =>
    kinds
      .flatMap((kind) => kind.guids.map((guid) => describeKind(guid, kind, family)))
      .sort((a, b) => a.name.localeCompare(b.name, 'en') || a.guid.localeCompare(b.guid, 'en')),
  )
}

function describeKind(guid: string, kind: AnyKind, family: string): KindDescription {
  return {
    guid,
    name: (findComponent(guid) ?? findCanvasObject(guid) ?? findParameterType(guid))?.name ?? '',
    family,
    description: kind.description,
    ...('type' in kind ? { inputs: [], outputs: [] } : describePorts(guid, kind)),
  }
}

function describePorts(guid: string, kind: Kind): Pick<KindDescription, 'inputs' | 'outputs'> {
  const known = findComponent(guid)
  return {
    inputs: describeSide(kind.inputs, kind.moreInputs, known?.inputs),
    outputs: describeSide(kind.outputs, kind.moreOutputs, [
      ...(known?.outputs ?? []),
      ...(UNLISTED[guid] ?? []),
    ]),
  }
}

/** The outputs that the library lacks: the third one of Pull Point, which it has since Rhino 8. */
const UNLISTED: Readonly<Record<string, readonly Named[]>> = {
  '902289da-28dc-454b-98d4-b8f8aa234516': [{ name: 'index', nickName: 'index' }],
}

type Named = Pick<LibraryPort, 'name' | 'nickName'>

/** The ports of one side, and then the one that can be repeated. */
function describeSide(
  own: Kind['inputs'],
  more: PortSpec | undefined,
  known: readonly Named[] = [],
): PortDescription[] {
  return [
    ...own.map((port, i) => {
      const named = known[i]
      if (!named) throw new Error(`The component library lacks port ${i + 1} of a kind with ${own.length}`)
      return describePort(port, named)
    }),
    ...(more ? [describePort(more, known[own.length] ?? { name: 'More', nickName: 'More' }, true)] : []),
  ]
}

function describePort(
  { type, access, isOptional }: PortSpec,
  { name, nickName }: Named,
  isRepeated = false,
): PortDescription {
  return { name, nickName, type: TYPE_NAMES[type], access, isOptional, isRepeated }
}
