import { createHash } from 'node:crypto'
import type { DataValue, Node } from '@meadow/contract'
import type { UseKind } from '@meadow/contract/web'
import {
  findCanvasObject,
  findComponent,
  findComponentName,
  findParameterType,
  findScript,
  listNodeOrigins,
  type PluginLibrary,
} from '@meadow/document'
import { CLUSTER } from '@meadow/solver'
import { foldName } from '../../../platform/database/names.ts'
import { listScriptLibraries, textOfScript } from './scripts.ts'

/**
 * The kinds of the index: those that people search by; what nodes say about the file that they were placed from, for
 * `item`; and what cannot be solved, for the audit.
 */
export type IndexedKind = Exclude<UseKind, 'model' | 'item'> | 'origin' | 'unsolvable'

/** What a node uses. `kind`, `key` and `version` identify it in its team. */
export interface Use {
  kind: IndexedKind
  key: string
  /** The version of a plug-in; empty for any version, and for everything else. */
  version: string
  /** What people call it. */
  name: string
  /** What tells it from others with the same name: a category, a plug-in, the reason why it is not solved. */
  detail: string
  /** The text of a script, in which `findUses` searches. */
  text?: string
}

/** Names and reasons come from files; what is longer is cut. */
const MAX_NAME = 200
const NO_ID = '00000000-0000-0000-0000-000000000000'

/** Everything that a node itself uses, each once. What is inside a cluster is not among it. */
export function listUsesOfNode(node: Node): Use[] {
  const uses = [
    componentOf(node),
    ...pluginsOf(node),
    ...clusterOf(node),
    ...scriptOf(node),
    ...objectsOf(node),
    ...originsOf(node),
  ]
  return [...new Map(uses.map((use) => [identityOf(use), use])).values()]
}

/** Returns the same text for equal uses only. */
export const identityOf = ({ kind, key, version }: Pick<Use, 'kind' | 'key' | 'version'>): string =>
  JSON.stringify([kind, key, version])

function componentOf(node: Node): Use {
  const { templateId } = node
  const known = findComponent(templateId) ?? findParameterType(templateId) ?? findCanvasObject(templateId)
  const standard = known?.name ?? findComponentName(templateId) ?? findScript(templateId)?.name
  const plugin = readPlugin(node)
  return {
    kind: 'component',
    key: templateId.toLowerCase(),
    version: '',
    name: cut(standard || node.name || node.nickName || templateId),
    detail: cut(plugin?.library ?? (known ? `${known.category}, ${known.subcategory}` : '')),
  }
}

/** Lists the plug-in of a node in any version, and in the version of the file. */
function pluginsOf(node: Node): Use[] {
  const plugin = readPlugin(node)
  if (!plugin) return []
  const { libraryId, library = '', version = '' } = plugin
  // Plug-ins without an id share this one.
  const key = libraryId === NO_ID ? foldName(library) : libraryId.toLowerCase()
  const use = {
    kind: 'plugin',
    key: cut(key),
    name: cut(library || 'A plug-in without a name'),
    detail: '',
  } as const
  return [
    { ...use, version: '' },
    { ...use, version: cut(version || UNKNOWN_VERSION) },
  ]
}

/** The version of a plug-in in a file that does not state it. */
const UNKNOWN_VERSION = 'unknown'

function readPlugin({ state }: Node): PluginLibrary | undefined {
  const plugin = state?.kind === 'plugin' ? state : state?.kind === 'valueList' ? state.plugin : undefined
  if (typeof plugin !== 'object' || plugin === null) return undefined
  const { libraryId, library, version } = plugin as Partial<PluginLibrary>
  return {
    libraryId: typeof libraryId === 'string' ? libraryId : NO_ID,
    ...(typeof library === 'string' && { library }),
    ...(typeof version === 'string' && { version }),
  }
}

/** Clusters are known by their names: all are of one component. */
function clusterOf({ templateId, nickName, name }: Node): Use[] {
  const called = nickName || name
  if (templateId !== CLUSTER || called === '') return []
  return [{ kind: 'cluster', key: cut(foldName(called)), version: '', name: cut(called), detail: '' }]
}

function scriptOf(node: Node): Use[] {
  const script = textOfScript(node)
  if (!script) return []
  const { language, text } = script
  const title = LANGUAGES[language] ?? language
  return [
    { kind: 'script', key: hash(`${language}\n${text}`), version: '', name: title, detail: '', text },
    { kind: 'language', key: language, version: '', name: `${title} scripts`, detail: '' },
    ...listScriptLibraries(script).map(
      (library): Use => ({
        kind: 'library',
        key: library.toLowerCase(),
        version: '',
        name: library,
        detail: '',
      }),
    ),
  ]
}

const LANGUAGES: Record<string, string> = {
  python2: 'IronPython 2',
  python3: 'Python 3',
  csharp: 'C#',
  vb: 'VB',
  unknown: 'Other',
}

/** The objects of Rhino models, and the elements of Revit documents, that its values name. */
function objectsOf({ values }: Node): Use[] {
  return Object.values(values)
    .flatMap(({ branches }) => branches)
    .flatMap((branch) => branch.values)
    .flatMap((value): Use[] => [...objectOf(value), ...elementOf(value)])
}

function objectOf(value: DataValue | null): Use[] {
  const key = value?.referenceId?.toLowerCase()
  return key === undefined ? [] : [{ kind: 'object', key: cut(key), version: '', name: cut(key), detail: '' }]
}

function elementOf(value: DataValue | null): Use[] {
  if (value?.type !== 'unknown') return []
  const { kind, description, properties } = value.value
  const id = kind === 'revit' ? properties?.uniqueId : undefined
  if (typeof id !== 'string' || id === '') return []
  return [{ kind: 'revit', key: cut(id.toLowerCase()), version: '', name: cut(description), detail: cut(id) }]
}

const originsOf = (node: Node): Use[] =>
  listNodeOrigins(node).map((key) => ({ kind: 'origin', key, version: '', name: '', detail: '' }))

/** Returns a key for what has none that is short. */
export const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)

/** Cuts a text, and removes what the databases do not accept. */
export const cut = (text: string): string => {
  const clean = text.replaceAll('\0', '').toWellFormed()
  return clean.length > MAX_NAME ? clean.slice(0, MAX_NAME).toWellFormed() : clean
}
