import type { Port } from '@meadow/document'
import type { Chunk } from '../../archive/tree/archive.ts'
import { removeItem, setCode, setItem, setSwitch } from '../../archive/tree/edit.ts'
import { findItem } from '../../archive/tree/find.ts'
import { sameMembers } from '../compare/differences.ts'
import { toText } from './coerce.ts'
import { findText } from './text.ts'

/* How the members of a port are read from the items of its chunk, and written to them. */

type Option = NonNullable<Port['options']>[number]

const ACCESS = ['item', 'list', 'tree'] as const
const WIRE_DISPLAYS = [undefined, 'faint', 'hidden'] as const

/** The items of options that exist only if they are true; `principal` is an item of the component instead. */
const SWITCHES: readonly [Option, string][] = [
  ['reparameterize', 'Reparameterize'],
  ['degrees', 'UseDegrees'],
  ['invert', 'InvertBooleans'],
]
/** Those of a parameter object are the status of its node. */
const SHOWN: readonly [Option, string][] = [
  ['hidden', 'Hidden'],
  ['locked', 'Locked'],
]

export interface PortPlace {
  isPrincipal: boolean
  /** Whether the chunk is that of the object itself, a parameter. */
  isObject: boolean
  /** Whether the appearance is read too, which the first reading does not know. */
  hasAppearance: boolean
}

export function readPort(chunk: Chunk, typeName: string, place: PortPlace): Port {
  const expression = findText(chunk, 'InternalExpression')
  const options = listOptions(chunk, place)
  const wireDisplay = place.hasAppearance
    ? WIRE_DISPLAYS[findItem(chunk, 'WireDisplay', 'int32') ?? 0]
    : undefined
  return {
    name: findText(chunk, 'Name') ?? '',
    nickName: findText(chunk, 'NickName') ?? '',
    typeName,
    access: ACCESS[findItem(chunk, 'Access', 'int32') ?? 0] ?? 'item',
    flags: listFlags(chunk),
    ...(expression ? { expression } : {}),
    ...(options.length > 0 ? { options } : {}),
    ...(wireDisplay ? { wireDisplay } : {}),
  }
}

/** Writes the members of a port that differ. */
export function updatePort(chunk: Chunk, before: Port, after: Port): void {
  if (after.name !== before.name) setItem(chunk, 'string', 'Name', toText(after.name))
  if (after.nickName !== before.nickName) setItem(chunk, 'string', 'NickName', toText(after.nickName))
  if (after.access !== before.access) setAccess(chunk, after.access)
  if (!sameMembers(after.flags, before.flags)) setFlags(chunk, after.flags)
  const expression = after.expression ?? ''
  if (expression !== (before.expression ?? '')) {
    if (expression === '') removeItem(chunk, 'InternalExpression')
    else setItem(chunk, 'string', 'InternalExpression', toText(expression))
  }
  setOptions(chunk, before.options ?? [], after.options ?? [])
  if (after.wireDisplay !== before.wireDisplay)
    setCode(chunk, 'WireDisplay', WIRE_DISPLAYS.indexOf(after.wireDisplay))
}

/** Scripts have the access in a second item. */
function setAccess(chunk: Chunk, access: Port['access']): void {
  const code = Math.max(0, ACCESS.indexOf(access))
  setCode(chunk, 'Access', code)
  const ofScript = findItem(chunk, 'ScriptParamAccess', 'int32')
  if (ofScript !== undefined) setItem(chunk, 'int32', 'ScriptParamAccess', code)
}

/** A port either flattens or grafts. */
function listFlags(chunk: Chunk): Port['flags'] {
  const mapping = findItem(chunk, 'Mapping', 'int32')
  const flags: Port['flags'] = []
  if (mapping === 2) flags.push('graft')
  if (mapping === 1) flags.push('flatten')
  if (findItem(chunk, 'SimplifyData', 'bool')) flags.push('simplify')
  if (findItem(chunk, 'ReverseData', 'bool')) flags.push('reverse')
  return flags
}

function setFlags(chunk: Chunk, flags: Port['flags']): void {
  setCode(chunk, 'Mapping', flags.includes('graft') ? 2 : flags.includes('flatten') ? 1 : 0)
  setSwitch(chunk, 'SimplifyData', flags.includes('simplify'))
  setSwitch(chunk, 'ReverseData', flags.includes('reverse'))
}

function listOptions(chunk: Chunk, { isPrincipal, isObject, hasAppearance }: PortPlace): Option[] {
  const isOn = (name: string) => findItem(chunk, name, 'bool') === true
  const switches = hasAppearance && !isObject ? [...SWITCHES, ...SHOWN] : SWITCHES
  return [
    ...(isOn('Optional') ? ['optional' as const] : []),
    ...(isPrincipal ? ['principal' as const] : []),
    ...switches.filter(([, name]) => isOn(name)).map(([option]) => option),
  ]
}

function setOptions(chunk: Chunk, before: readonly Option[], after: readonly Option[]): void {
  const differs = (option: Option) => before.includes(option) !== after.includes(option)
  for (const [option, name] of chunk.name === 'Container' ? SWITCHES : [...SWITCHES, ...SHOWN]) {
    if (differs(option)) setSwitch(chunk, name, after.includes(option))
  }
  if (differs('optional')) setItem(chunk, 'bool', 'Optional', after.includes('optional'))
}
