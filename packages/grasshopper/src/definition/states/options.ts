import { type OptionsState, sameJson } from '@meadow/document'
import type { Chunk, Item } from '../../archive/tree/archive.ts'
import { ensureChunk, removeItem, setItem } from '../../archive/tree/edit.ts'
import { findChunk } from '../../archive/tree/find.ts'
import { toInt32, toNumber, toRecord, toText } from '../model/coerce.ts'
import { isSafeKey } from '../model/text.ts'
import type { StateKind } from './state-kind.ts'

/** The items of the Container that are menu options, by component. The editor writes new options under these names. */
const NAMES = new Map<string, readonly string[]>([
  ['59daf374-bc21-4a5e-8282-5504fb7ae9ae', ['BaseOutputIndex']], // List Item: the output that is "Item"
  ['c9785b8e-2f30-4f90-8ee3-cca710f82402', ['FlattenInputs']], // Entwine
  ['50faccbd-9c92-4175-a5fa-d65e36013db6', ['NullGaps']], // Weave
  ['87e1d9ef-088b-4d30-9dda-8a7448a17329', ['IncludeNullItems', 'IncludeEmptyLists']], // Graft Tree
  ['3a710c1e-1809-4e19-8c15-82adce31cd62', ['MaintainPaths']], // Tree Branch
  ['6eaffbb2-3392-441a-8556-2dc126aa8910', ['CullMode']], // Cull Duplicates
  ['36947590-f0cb-4807-a8f9-9c90c9b20621', ['CrossMode']], // Cross Reference
  ['5a13ec19-e4e9-43da-bf65-f93025fa87ca', ['TrimMode']], // Shortest List
  ['8440fd1b-b6e0-4bdb-aa93-4ec295c213e9', ['PaddingMode']], // Longest List
  ['902289da-28dc-454b-98d4-b8f8aa234516', ['ClosestOnly']], // Pull Point
  ['350f7d03-a48f-4121-bcee-328cfe1ed9ef', ['IntegerChannels']], // Split ARGB
  ['4df8df00-3635-45bd-95e6-f9206296c110', ['RecursiveReplace']], // Replace Text
  ['a4011be0-1c91-45bd-8280-17dd3a9f46f1', ['BruteForceOverride']], // Voronoi
  ['6587fcbf-e3cf-480a-b2f5-641794474194', ['PerLineParse']], // Read File
  ['cc2b626f-6eff-4d08-9829-2877560693f4', ['Equation']], // Evaluate, in old files
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
      'SublayerFiltering',
    ],
  ],
])

/** Items that any object or parameter can have; other fields of the document show what they mean. */
const COMMON_ITEMS = new Set([
  'Name',
  'NickName',
  'Description',
  'Hidden',
  'Locked',
  'IconDisplay',
  'PrincipalIndex',
  'Optional',
  'SourceCount',
  'Access',
  'Mapping',
  'SimplifyData',
  'ReverseData',
  'Reparameterize',
  'InternalExpression',
  'UseDegrees',
  'InvertBooleans',
  'WireDisplay',
  'Mutable',
  // These items name the port of a cluster that an object in it stands for.
  'CustomName',
  'CustomNickName',
  'CustomDescription',
  // Files of 0.8.x have these items.
  'Preview',
  'Enabled',
  'PersistentCount',
  // The value of a toggle.
  'ToggleValue',
  // How far the list of a Panel or Param Viewer is scrolled.
  'ScrollRatio',
])

/** The only way of matching in later versions; in 0.8.x each component names its own. */
const USUAL_COMPARISON = 'longest_list'

/**
 * The menu options of a component, in its Container or in its ValueTable: all values of its own, under whatever name,
 * so that none is lost that could change its result.
 */
export function findOptionsState(container: Chunk): OptionsState | undefined {
  const table = findChunk(container, 'ValueTable')?.items ?? []
  const options = [...container.items.filter(isOption), ...table].flatMap((item) => {
    const [key, value] = [toOptionKey(item.name), findValue(item)]
    return value === undefined || !isSafeKey(key) ? [] : [[key, value] as const]
  })
  return options.length > 0 ? { kind: 'options', options: Object.fromEntries(options) } : undefined
}

/** Whether an item of a Container is an option: it belongs to neither all objects nor a list. */
export function isOption({ name, index, ...item }: Item): boolean {
  if (name === 'DataComparison') return item.value !== USUAL_COMPARISON
  return index < 0 && !COMMON_ITEMS.has(name)
}

function findValue(item: Item): boolean | number | string | undefined {
  if (item.type === 'bool' || item.type === 'int32') return item.value
  if (item.type === 'string') return item.value.toWellFormed()
  return item.type === 'double' && Number.isFinite(item.value) ? item.value : undefined
}

/** Converts the name of an item to that of an option: `FlattenInputs` becomes `flattenInputs`. */
function toOptionKey(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1).toWellFormed()
}

/** Menu switches, which any component may have. */
export const OPTIONS: StateKind = {
  kind: 'options',
  classes: [],
  /** Writes a switch to the item that it was read from; a new one to the item or table of the component. */
  write({ container, classId }, { before, after }) {
    const [old, options] = [before, after].map(({ state }) => toRecord(state?.options))
    for (const key of new Set([...Object.keys(old ?? {}), ...Object.keys(options ?? {})])) {
      const value = options?.[key]
      if (sameJson(old?.[key], value)) continue
      const { chunk, name } = findLocation(container, key, NAMES.get(classId) ?? [])
      if (value === undefined) removeItem(chunk, name)
      else setOption(chunk, name, value)
    }
  },
}

/** The item as the parser finds it: in the ValueTable, otherwise among the items of the component. */
function findLocation(
  container: Chunk,
  key: string,
  names: readonly string[],
): { chunk: Chunk; name: string } {
  const table = findChunk(container, 'ValueTable')
  const inTable = table?.items.find(({ name }) => toOptionKey(name) === key)
  if (table && inTable) return { chunk: table, name: inTable.name }
  const present = container.items.filter(isOption).map(({ name }) => name)
  const own = [...present, ...names].find((name) => toOptionKey(name) === key)
  if (own !== undefined) return { chunk: container, name: own }
  return { chunk: ensureChunk(container, 'ValueTable'), name: key.charAt(0).toUpperCase() + key.slice(1) }
}

/** Sets an option, which keeps the type of its item. */
function setOption(chunk: Chunk, name: string, value: unknown): void {
  const type = chunk.items.find((item) => item.name === name)?.type ?? guessType(value)
  if (type === 'bool') setItem(chunk, type, name, value === true)
  else if (type === 'int32') setItem(chunk, type, name, toInt32(value))
  else if (type === 'double') setItem(chunk, type, name, toNumber(value))
  else if (type === 'string') setItem(chunk, type, name, toText(value))
}

function guessType(value: unknown): Item['type'] {
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int32' : 'double'
  return 'string'
}
