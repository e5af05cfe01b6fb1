import { findCanvasObject, findComponent, findParameterType } from '@meadow/document'
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
  const known = findComponent(guid) ?? findCanvasObject(guid) ?? findParameterType(guid)
  const isParameter = 'type' in kind
  return {
    guid,
    name: known?.name ?? (isParameter ? '' : (kind.name ?? '')),
    family,
    description: kind.description,
    ...(isParameter ? { inputs: [], outputs: [] } : describePorts(guid, kind)),
  }
}

function describePorts(guid: string, kind: Kind): Pick<KindDescription, 'inputs' | 'outputs'> {
  const known = findComponent(guid)
  const describeSide = (
    own: Kind['inputs'],
    more: PortSpec | undefined,
    names: readonly { name: string; nickName: string }[] = [],
  ) => [
    ...own.map(([key, port], i) => describePort(port, names[i] ?? readLabel(port.label ?? key))),
    ...(more ? [describePort(more, names[own.length] ?? readLabel(more.label ?? 'More'), true)] : []),
  ]
  return {
    inputs: describeSide(kind.inputs, kind.moreInputs, known?.inputs),
    outputs: describeSide(kind.outputs, kind.moreOutputs, known?.outputs),
  }
}

function describePort(
  { type, access, isOptional }: PortSpec,
  { name, nickName }: { name: string; nickName: string },
  isRepeated = false,
): PortDescription {
  return { name, nickName, type: TYPE_NAMES[type], access, isOptional, isRepeated }
}

/** `Count (N)` */
function readLabel(label: string): { name: string; nickName: string } {
  const { name = label, nickName = label } = /^(?<name>.+) \((?<nickName>[^)]*)\)$/.exec(label)?.groups ?? {}
  return { name, nickName }
}
