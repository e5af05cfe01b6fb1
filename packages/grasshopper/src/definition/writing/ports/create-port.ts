import type { Port } from '@meadow/document'
import type { Chunk, Item, Rectangle } from '../../../archive/archive.ts'
import { createChunk, createItem } from '../../../archive/create.ts'
import { sortItems } from '../../../archive/edit.ts'
import { toText } from '../coerce.ts'
import { updatePort } from './update-port.ts'

export type Side = 'input' | 'output'

/** A port's chunk, without its name and index. `bounds`: its row on the canvas. */
export function createPort(id: string, port: Port, side: Side, bounds: Rectangle): Chunk {
  const { x, y, width, height } = bounds
  const chunk = createChunk('', [
    createItem('string', 'Description', ''),
    createItem('guid', 'InstanceGuid', id),
    createItem('string', 'Name', toText(port.name)),
    createItem('string', 'NickName', toText(port.nickName)),
    createItem('bool', 'Optional', false),
    createItem('int32', 'SourceCount', 0),
    ...listScriptItems(port.typeName, side),
    createChunk('Attributes', [
      createItem('drawing_rectanglef', 'Bounds', bounds),
      createItem('drawing_pointf', 'Pivot', { x: x + width / 2, y: y + height / 2 }),
    ]),
    ...(port.typeName === 'Script Parameter' ? [createConverter()] : []),
  ])
  updatePort(chunk, { ...port, access: 'item', flags: [], options: [], expression: '' }, port)
  return sortItems(chunk)
}

const NO_HINT = '6a184b65-baa3-42d1-a548-3915b401de53'

/** What the variables of scripts keep beside what all ports do; the second kind is that of Rhino 8. */
function listScriptItems(typeName: string, side: Side): Item[] {
  const isNew = typeName === 'Script Parameter'
  if (!isNew && typeName !== 'Script Variable') return []
  return [
    createItem('bool', 'AllowTreeAccess', side === 'input'),
    createItem('int32', 'ScriptParamAccess', 0),
    createItem('bool', 'ShowTypeHints', true),
    createItem('guid', 'TypeHintID', NO_HINT),
    ...(isNew ? [createItem('int32', 'ScriptParameterVersion', 2), createItem('string', 'ToolTip', '')] : []),
  ]
}

/** Rhino 8 names the .NET type that values become. */
function createConverter(): Chunk {
  return createChunk('ConverterData', [
    createItem('string', 'AssemblyName', 'System.Private.CoreLib'),
    createItem('string', 'TypeName', 'System.Object'),
  ])
}
