import type { Port } from '@meadow/document'
import type { Chunk } from '../../archive/archive.ts'
import { findItem } from '../../archive/find.ts'
import { findText } from '../text.ts'

const ACCESS = ['item', 'list', 'tree'] as const

/** What the items of a port say about it. */
export function readPort(chunk: Chunk, typeName: string, isPrincipal: boolean): Port {
  const expression = findText(chunk, 'InternalExpression')
  const options = listOptions(chunk, isPrincipal)
  return {
    name: findText(chunk, 'Name') ?? '',
    nickName: findText(chunk, 'NickName') ?? '',
    typeName,
    access: ACCESS[findItem(chunk, 'Access', 'int32') ?? 0] ?? 'item',
    flags: listFlags(chunk),
    ...(expression ? { expression } : {}),
    ...(options.length > 0 ? { options } : {}),
  }
}

function listFlags(chunk: Chunk): Port['flags'] {
  const mapping = findItem(chunk, 'Mapping', 'int32')
  const flags: Port['flags'] = []
  if (mapping === 2) flags.push('graft')
  if (mapping === 1) flags.push('flatten')
  if (findItem(chunk, 'SimplifyData', 'bool')) flags.push('simplify')
  if (findItem(chunk, 'ReverseData', 'bool')) flags.push('reverse')
  return flags
}

function listOptions(chunk: Chunk, isPrincipal: boolean): NonNullable<Port['options']> {
  const options: NonNullable<Port['options']> = []
  if (findItem(chunk, 'Optional', 'bool')) options.push('optional')
  if (isPrincipal) options.push('principal')
  if (findItem(chunk, 'Reparameterize', 'bool')) options.push('reparameterize')
  if (findItem(chunk, 'UseDegrees', 'bool')) options.push('degrees')
  if (findItem(chunk, 'InvertBooleans', 'bool')) options.push('invert')
  return options
}
