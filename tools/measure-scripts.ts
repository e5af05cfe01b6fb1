import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Node } from '../packages/contract/src/index.ts'
import {
  type ClusterContents,
  findCanvasObject,
  findComponentName,
  findParameterType,
  type NodeState,
  type ScriptState,
} from '../packages/document/src/index.ts'
import { GrasshopperError, readClusters, readDefinition } from '../packages/grasshopper/src/index.ts'
import { CLUSTER, findKind } from '../packages/solver/src/index.ts'
import { listPackages, readDotNetUse, readPythonUse, type ScriptUse } from './script-members.ts'

/*
 * What the scripts of real definitions need: their languages, the libraries and members that they use, and how many of
 * them would run in a Python without RhinoCommon, alone or with a shim of its most used members. A script counts only if
 * all it names is there. docs/decisions/0028-scripts.md explains the figures.
 *
 *   npm run measure:scripts                  the samples beside the project
 *   npm run measure:scripts -- FOLDER        the definitions in a folder
 */

const SHIM_SIZES = [50, 100, 200, 300]
const LISTED_ROWS = 40
interface Script {
  readonly document: string
  readonly language: string
  readonly use: ScriptUse
  readonly source: string
}

interface Document {
  readonly name: string
  readonly scripts: readonly Script[]
  /** The nodes besides scripts that are not solved today: of the kinds that come with Grasshopper, and others. */
  readonly missing: { readonly standard: number; readonly others: number }
}

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../../shared/samples'))
if (existsSync(folder)) {
  report(
    globSync('**/*.{gh,ghx}', { cwd: folder })
      .sort()
      .flatMap((path) => readDocument(folder, path)),
  )
} else {
  process.stderr.write(`There is no folder ${folder}.\n`)
  process.exitCode = 1
}

/** Reads a document. Returns none for a file that cannot be read, which is reported. */
function readDocument(folder: string, name: string): Document[] {
  try {
    return [describeDocument(folder, name)]
  } catch (error) {
    if (!(error instanceof GrasshopperError)) throw error
    process.stderr.write(`${name} is left out: ${error.message}\n`)
    return []
  }
}

function describeDocument(folder: string, name: string): Document {
  const bytes = readFileSync(join(folder, name))
  const nodes = listNodes(readDefinition(bytes).content.nodes, readClusters(bytes))
  const rest = nodes.filter((node) => node !== 'unknown' && !findScriptState(node))
  const missing = rest.filter((node) => node === 'unknown' || !isSolved(node))
  const standard = missing.filter((node) => node !== 'unknown' && isStandard(node)).length
  return {
    name,
    scripts: nodes.flatMap((node) => {
      const state = node === 'unknown' ? undefined : findScriptState(node)
      return state ? [toScript(state, name)] : []
    }),
    missing: {
      standard,
      others: nodes.filter((node) => node === 'unknown').length + missing.length - standard,
    },
  }
}

/** Lists the nodes of a document and of its clusters, with 'unknown' for a cluster that cannot be read. */
function listNodes(nodes: Record<string, Node>, clusters: ClusterContents): (Node | 'unknown')[] {
  const inside = [...clusters.values()].flatMap((cluster) =>
    'unknown' in cluster ? ['unknown' as const] : listNodes(cluster.content.nodes, cluster.clusters),
  )
  return [...Object.values(nodes), ...inside]
}

function findScriptState(node: Node): ScriptState | undefined {
  const state = node.state as NodeState | undefined
  return state?.kind === 'script' ? state : undefined
}

function isSolved({ templateId, inputs, outputs }: Node): boolean {
  const hasPorts = Object.keys(inputs).length + Object.keys(outputs).length > 0
  return !hasPorts || templateId === CLUSTER || findKind(templateId) !== undefined
}

function isStandard({ templateId }: Node): boolean {
  return [findComponentName, findCanvasObject, findParameterType].some((find) => find(templateId))
}

function toScript({ language, source, imports = '', members = '' }: ScriptState, document: string): Script {
  const isPython = language.startsWith('python')
  const use = isPython ? readPythonUse(source) : readDotNetUse(imports, `${source}\n${members}`)
  return { document, language, use, source: source.trim() }
}

function report(documents: readonly Document[]): void {
  const scripts = documents.flatMap(({ scripts }) => scripts)
  const python = scripts.filter(({ language }) => language.startsWith('python'))
  const empty = scripts.filter(({ source }) => source === '').length
  print(
    `${scripts.length} scripts, ${empty} of them without a source, in ${countDocuments(scripts)} of ${documents.length} definitions.`,
  )
  const byMember = groupBy(python, ({ use }) => use.members)
  const dotNet = scripts.filter(({ language }) => /csharp|vb/.test(language))
  const byDotNetMember = groupBy(dotNet, ({ use }) => use.members)
  const listModules = ({ use }: Script) => new Set([...use.modules].map((name) => name.split('.')[0] ?? name))
  printGroups(
    'Language',
    groupBy(scripts, ({ language }) => [language]),
  )
  printGroups('Library whose members Python scripts use', groupBy(python, listLibraries))
  printGroups('Module that Python scripts import', groupBy(python, listModules))
  printGroups(`Member in Python, of ${byMember.size}`, byMember)
  printGroups(`Member in C# and VB, of ${byDotNetMember.size}`, byDotNetMember)
  reportShims(documents, python, [...byMember.keys()])
}

/**
 * Prints how many scripts would run in Python alone, with shims of the most used members, and with shims of members
 * that are chosen so that most scripts run.
 */
function reportShims(
  documents: readonly Document[],
  python: readonly Script[],
  byUse: readonly string[],
): void {
  const chosen = chooseMembers(python.filter(isWithoutPackages))
  print(
    '\n| Shim | scripts | documents whose scripts all run | complete today | complete with all standard kinds |',
  )
  print('| --- | ---: | ---: | ---: | ---: |')
  const row = (name: string, runs: (script: Script) => boolean) => {
    const whole = documents.filter(({ scripts }) => scripts.length > 0 && scripts.every(runs))
    const alike = whole.filter(({ missing }) => missing.others === 0)
    const today = alike.filter(({ missing }) => missing.standard === 0)
    print(`| ${[name, python.filter(runs).length, whole.length, today.length, alike.length].join(' | ')} |`)
  }
  const withShim = (members: Iterable<string>) => {
    const shim = new Set(members)
    return (script: Script) =>
      script.language.startsWith('python') &&
      script.source !== '' &&
      isWithoutPackages(script) &&
      script.use.members.isSubsetOf(shim)
  }
  row('none', withShim([]))
  for (const size of SHIM_SIZES) row(`${size} most used`, withShim(byUse.slice(0, size)))
  for (const size of SHIM_SIZES.filter((size) => size < chosen.length))
    row(`${size} chosen`, withShim(chosen.slice(0, size)))
  row(`all ${chosen.length} that scripts without packages use`, withShim(chosen))
  row('every script of every language', () => true)
  const withPackages = python.filter((script) => !isWithoutPackages(script))
  const byPackages = groupBy(withPackages, ({ use }) => [[...listPackages(use)].sort().join(', ')])
  printGroups('Packages that a script lacks even then', byPackages)
}

/**
 * Returns the members in an order in which most scripts run early: next are always the ones with the fewest members per
 * script.
 */
function chooseMembers(scripts: readonly Script[]): string[] {
  const chosen = new Set<string>()
  let left = scripts
  while (left.length > 0) {
    const needs = groupBy(left, ({ use }) => [[...use.members.difference(chosen)].sort().join(' ')])
    const cost = ([need, group]: readonly [string, readonly Script[]]) =>
      need.split(' ').length / group.length
    const [cheapest] = [...needs].sort((a, b) => cost(a) - cost(b))
    for (const member of cheapest?.[0].split(' ').filter(Boolean) ?? []) chosen.add(member)
    left = left.filter(({ use }) => !use.members.isSubsetOf(chosen))
  }
  return [...chosen]
}

function isWithoutPackages({ use }: Script): boolean {
  return listPackages(use).size === 0
}

function listLibraries({ use }: Script): Set<string> {
  const libraryOf = (name: string) =>
    name.startsWith('.')
      ? 'members of objects'
      : (/^(?:Rhino\.Geometry|ghpythonlib\.\w+|\w+)/.exec(name)?.[0] ?? '')
  return new Set([...use.members].map(libraryOf))
}

/** Groups items by key, largest group first. An item can be in several groups. */
function groupBy<T>(items: readonly T[], keysOf: (item: T) => Iterable<string>): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items)
    for (const key of keysOf(item)) groups.set(key, [...(groups.get(key) ?? []), item])
  return new Map([...groups].sort(([, a], [, b]) => b.length - a.length))
}

function countDocuments(scripts: readonly Script[]): number {
  return new Set(scripts.map(({ document }) => document)).size
}

function printGroups(title: string, groups: ReadonlyMap<string, readonly Script[]>): void {
  print(`\n| ${title} | scripts | definitions | different sources |\n| --- | ---: | ---: | ---: |`)
  for (const [name, group] of [...groups].slice(0, LISTED_ROWS)) {
    const sources = new Set(group.map(({ source }) => source)).size
    print(`| ${[name, group.length, countDocuments(group), sources].join(' | ')} |`)
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
