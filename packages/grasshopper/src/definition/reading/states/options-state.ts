import type { OptionsState } from '@meadow/document'
import type { Item } from '../../../archive/tree/archive.ts'
import { findChunk } from '../../../archive/tree/find.ts'
import type { DefinitionObject } from '../../model/definition-object.ts'

/** The items that are menu switches, by component. */
const OPTIONS = new Map<string, readonly string[]>([
  ['59daf374-bc21-4a5e-8282-5504fb7ae9ae', ['BaseOutputIndex']], // List Item: the output that is "Item"
  ['c9785b8e-2f30-4f90-8ee3-cca710f82402', ['FlattenInputs']], // Entwine
  ['50faccbd-9c92-4175-a5fa-d65e36013db6', ['NullGaps']], // Weave
  ['87e1d9ef-088b-4d30-9dda-8a7448a17329', ['IncludeNullItems', 'IncludeEmptyLists']], // Graft Tree
  ['3a710c1e-1809-4e19-8c15-82adce31cd62', ['MaintainPaths']], // Tree Branch
  ['6eaffbb2-3392-441a-8556-2dc126aa8910', ['CullMode']], // Cull Duplicates
  ['537b0419-bbc2-4ff4-bf08-afe526367b2c', ['IncludeInRender']], // Custom Preview
  ['3b220754-4114-4170-b6c3-b286b86ed524', ['TagHeight']], // Text Tag
  ['401aa475-997a-4139-991d-f980ffdcf908', ['DataLimit', 'RecordData']], // Data Recorder
  ['65283518-ad00-49d3-87fb-f76823ebb162', ['BufferMode']], // Data Dam
  ['7f6a9d34-0470-4bb7-aadd-07496bcbe572', ['parameter']], // Point On Curve: the position, from 0 to 1
  [
    'b341e2e5-c4b3-49a3-b3a4-b4e6e2054516', // Geometry Pipeline
    [
      'LayerFilter',
      'NameFilter',
      'TypeFilter',
      'IncludeLocked',
      'IncludeHidden',
      'GroupByLayer',
      'GroupByType',
    ],
  ],
])

/** The names of the switches in the Container of a component of this class. */
export function findOptionNames(classId: string): readonly string[] {
  return OPTIONS.get(classId) ?? []
}

/** The menu switches of a component, in its Container or in its ValueTable. */
export function findOptionsState({ classId, container }: DefinitionObject): OptionsState | undefined {
  const names = findOptionNames(classId)
  const own = container.items.filter(({ name }) => names.includes(name))
  const table = findChunk(container, 'ValueTable')?.items ?? []
  const options = [...own, ...table].flatMap((item) => {
    const value = findValue(item)
    return value === undefined ? [] : [[toOptionKey(item.name), value] as const]
  })
  return options.length > 0 ? { kind: 'options', options: Object.fromEntries(options) } : undefined
}

function findValue(item: Item): boolean | number | string | undefined {
  if (item.type === 'bool' || item.type === 'int32') return item.value
  if (item.type === 'string') return item.value.toWellFormed()
  return item.type === 'double' && Number.isFinite(item.value) ? item.value : undefined
}

/** `FlattenInputs` is `flattenInputs`. */
export function toOptionKey(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1).toWellFormed()
}
