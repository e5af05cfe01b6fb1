import type { Port } from '@meadow/document'
import type { Chunk } from '../../../archive/archive.ts'
import { removeItem, setItem, setSwitch } from '../../../archive/edit.ts'
import { findItem } from '../../../archive/find.ts'
import { sameMembers } from '../../compare/differences.ts'
import { toText } from '../coerce.ts'

type Option = NonNullable<Port['options']>[number]

/** Writes what differs of a port's names, access, flags, expression and options into its chunk. */
export function updatePort(chunk: Chunk, before: Port, after: Port): void {
  if (after.name !== before.name) setItem(chunk, 'string', 'Name', toText(after.name))
  if (after.nickName !== before.nickName) setItem(chunk, 'string', 'NickName', toText(after.nickName))
  if (after.access !== before.access) setAccess(chunk, after.access)
  if (!sameMembers(after.flags, before.flags)) setFlags(chunk, after.flags)
  if ((after.expression ?? '') !== (before.expression ?? '')) setExpression(chunk, after.expression)
  setOptions(chunk, before.options ?? [], after.options ?? [])
}

const ACCESS = ['item', 'list', 'tree']

/** Scripts keep the access that their author chose beside it. */
function setAccess(chunk: Chunk, access: Port['access']): void {
  const code = Math.max(0, ACCESS.indexOf(access))
  if (code === 0) removeItem(chunk, 'Access')
  else setItem(chunk, 'int32', 'Access', code)
  const ofScript = findItem(chunk, 'ScriptParamAccess', 'int32')
  if (ofScript !== undefined) setItem(chunk, 'int32', 'ScriptParamAccess', code)
}

/** A port flattens or grafts, not both. */
function setFlags(chunk: Chunk, flags: Port['flags']): void {
  const mapping = flags.includes('graft') ? 2 : flags.includes('flatten') ? 1 : 0
  if (mapping === 0) removeItem(chunk, 'Mapping')
  else setItem(chunk, 'int32', 'Mapping', mapping)
  setSwitch(chunk, 'SimplifyData', flags.includes('simplify'))
  setSwitch(chunk, 'ReverseData', flags.includes('reverse'))
}

function setExpression(chunk: Chunk, expression: string | undefined): void {
  if (expression) setItem(chunk, 'string', 'InternalExpression', toText(expression))
  else removeItem(chunk, 'InternalExpression')
}

/** Where each option stands; `principal` is an item of the component. */
const SWITCHES: readonly [Option, string][] = [
  ['reparameterize', 'Reparameterize'],
  ['degrees', 'UseDegrees'],
  ['invert', 'InvertBooleans'],
]

function setOptions(chunk: Chunk, before: readonly Option[], after: readonly Option[]): void {
  const differs = (option: Option) => before.includes(option) !== after.includes(option)
  for (const [option, name] of SWITCHES) {
    if (differs(option)) setSwitch(chunk, name, after.includes(option))
  }
  if (differs('optional')) setItem(chunk, 'bool', 'Optional', after.includes('optional'))
}
