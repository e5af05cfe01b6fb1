import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { JobFailure } from '@meadow/processes'
import { CheckError } from './config/check-error.ts'
import { createConfigFinder, readConfig } from './config/read-config.ts'
import { type Finding, type FoundFault, looksAtTests, type RuleId } from './config/rules.ts'
import { isIgnored, type LoadedConfig, type Settings, settingsFor } from './config/settings.ts'
import { findFiles, isTest } from './find-files.ts'
import type { Inspection } from './inspect/inspection.ts'
import { type Inspector, openInspector } from './inspect/inspector.ts'
import { type CheckReport, type FileReport, type FileStatus, summarize } from './report/report.ts'
import { snapshotPathOf } from './snapshot/snapshot.ts'

export interface CheckOptions {
  /** The files, folders and globs to be checked. */
  paths: readonly string[]
  /** The folder that paths are relative to; the working folder by default. */
  cwd?: string
  /** The configuration of all definitions; by default the nearest one above each definition. */
  config?: string
  /** Writes snapshots instead of comparing them. */
  update?: boolean
  /** Whether it is only a warning for tests and snapshots when Meadow cannot solve something, and not an error. */
  allowUnknown?: boolean
  /** Whether a definition without a snapshot is an error. */
  requireSnapshots?: boolean
  /** The maximum number of warnings: more fail the run. There is no limit by default. */
  maxWarnings?: number
  /** The number of definitions that are checked at once; by default the number of processors. */
  jobs?: number
  /** Ends the run when it is aborted. */
  signal?: AbortSignal
  /** Called when a definition is done. */
  onFile?: (file: FileReport, done: number, total: number) => void
}

/** The largest file that is read, in bytes. */
const MAX_FILE_BYTES = 256 * 2 ** 20

/**
 * Checks definitions, each in a child process with limits of time and memory. A file that cannot be read or solved is a
 * finding, and the other files are still checked. Fails: {@link CheckError} for a path that leads to nothing and for an
 * invalid configuration; with the signal's reason when it is aborted.
 */
export const check = (options: CheckOptions): Promise<CheckReport> => checkWith(openInspector, options)

/** Does what {@link check} does, with inspectors that `open` opens: one for each definition that is checked at once. */
export async function checkWith(open: () => Inspector, options: CheckOptions): Promise<CheckReport> {
  const { maxWarnings = Number.POSITIVE_INFINITY, jobs = availableParallelism(), signal } = options
  const cwd = resolve(options.cwd ?? '.')
  const todo = await listDefinitions(options, cwd)
  if (todo.length === 0) throw new CheckError('There is no definition (.gh or .ghx) to check.')
  const done = new Array<FileReport>(todo.length)
  let [next, finished] = [0, 0]
  const lane = async () => {
    const inspector = open()
    try {
      while (next < todo.length) {
        const index = next++
        signal?.throwIfAborted()
        const report = await checkFile(todo[index]!, { ...options, cwd }, inspector)
        done[index] = report
        options.onFile?.(report, ++finished, todo.length)
      }
    } catch (error) {
      next = todo.length
      throw error
    } finally {
      await inspector.end()
    }
  }
  // All lanes end before an error is reported, so that no process is left.
  const ended = await Promise.allSettled(Array.from({ length: Math.min(jobs, todo.length) }, lane))
  for (const result of ended) if (result.status === 'rejected') throw result.reason
  return summarize(done, maxWarnings)
}

interface Definition {
  path: string
  settings: Settings
}

/** Lists the definitions to be checked, with their settings. */
async function listDefinitions(options: CheckOptions, cwd: string): Promise<Definition[]> {
  const fixed = options.config === undefined ? undefined : await readConfig(resolve(cwd, options.config))
  const find = createConfigFinder()
  const configOf = async (path: string): Promise<LoadedConfig | undefined> => fixed ?? find(dirname(path))
  const definitions: Definition[] = []
  for (const path of await findFiles(options.paths, cwd)) {
    const config = await configOf(path)
    if (!isIgnored(path, config)) definitions.push({ path, settings: settingsFor(path, config) })
  }
  return definitions
}

type FileOptions = CheckOptions & { cwd: string }

async function checkFile(
  { path, settings }: Definition,
  options: FileOptions,
  inspector: Inspector,
): Promise<FileReport> {
  const start = performance.now()
  const isTestFile = isTest(path)
  const inspection = await inspect({ path, settings }, options, inspector)
  const { asserts, measures, snapshot } = inspection
  if (snapshot?.state === 'changed') await writeWhole(snapshotPathOf(path), snapshot.text)
  const faults = [...inspection.faults, ...findBudgetFaults(inspection, settings)]
  if (snapshot?.state === 'missing')
    faults.push({ rule: 'snapshot-missing', message: 'There is no snapshot. Make one with --update' })
  const findings = faults.flatMap((fault) => weigh(fault, settings, options, isTestFile))
  return {
    path: relative(options.cwd, path).replaceAll('\\', '/'),
    isTest: isTestFile,
    status: isTestFile ? judge(faults, asserts) : findStatus(findings),
    findings,
    asserts,
    measures,
    ...(snapshot && { snapshot: snapshot.state === 'changed' ? 'written' : snapshot.state }),
    durationMs: Math.round(performance.now() - start),
  }
}

/** Reads a definition and has it inspected. Any failure becomes a fault of the file. */
async function inspect(
  { path, settings }: Definition,
  { cwd, update = false, signal }: FileOptions,
  inspector: Inspector,
): Promise<Inspection> {
  const fail = (rule: RuleId, message: string): Inspection => ({
    faults: [{ rule, message }],
    asserts: [],
    measures: {},
  })
  let bytes: Uint8Array
  let expected: string | undefined
  try {
    const { size } = await assertFile(path)
    if (size > MAX_FILE_BYTES)
      return fail('unreadable-file', `The file is larger than ${MAX_FILE_BYTES / 2 ** 20} MB`)
    bytes = await readFile(path)
    expected = await readSnapshot(snapshotPathOf(path))
  } catch (error) {
    return fail('unreadable-file', `The file cannot be read: ${(error as Error).message}`)
  }
  const { allowedPlugins, limits, snapshot } = settings
  const models = await listModels(path, cwd)
  try {
    return await inspector.inspect(
      {
        bytes,
        isTest: isTest(path),
        allowedPlugins,
        limits,
        models,
        snapshot: { ...snapshot, expected, update },
      },
      signal,
    )
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error
    const where = error.place === '' ? '' : `. It was ${error.place}`
    return fail('unfinished-solve', `${describeFailure(error, limits)}${where}`)
  }
}

async function assertFile(path: string): Promise<{ size: number }> {
  const facts = await stat(path)
  if (!facts.isFile()) throw new Error('it is not a file')
  return facts
}

function describeFailure({ kind, message }: JobFailure, { timeMs, memoryMb }: Settings['limits']): string {
  switch (kind) {
    case 'time':
      return `It takes longer than ${timeMs / 1000} s of processor time`
    case 'memory':
      return `It takes more than ${memoryMb} MB of memory`
    case 'hung':
      return 'It does not end'
    case 'crashed':
      return 'The process that checked it ended unexpectedly'
    case 'killed':
      return 'The process that checked it was ended from outside, as by a system whose memory is used up: check it again'
    case 'threw':
      return `It cannot be checked: ${message.split('\n')[0]!.replace(/\.$/, '')}`
  }
}

/** Resolves with the text of a snapshot; undefined when there is no such file. */
async function readSnapshot(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Lists the Rhino models in the folder of a definition, and in each folder above it up to the working folder. */
async function listModels(path: string, cwd: string): Promise<string[][]> {
  const levels: string[][] = []
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const names = await readdir(folder).catch(() => [])
    const models = names.filter((name) => /\.3dm$/i.test(name)).sort()
    if (models.length > 0) levels.push(models.map((name) => join(folder, name)))
    const isInside = !relative(cwd, folder).startsWith('..') && folder !== cwd
    if (!isInside || folder === dirname(folder)) return levels
  }
}

/** Writes a file so that an interrupted run leaves the old snapshot or the new one. */
async function writeWhole(path: string, text: string): Promise<void> {
  const unfinished = join(dirname(path), `.${basename(path)}.${process.pid}.part`)
  try {
    await writeFile(unfinished, text)
    await rename(unfinished, path)
  } finally {
    await rm(unfinished, { force: true })
  }
}

const BUDGETS = [
  ['bytes', 'budget-bytes', 'bytes', 'The file has'],
  ['nodes', 'budget-nodes', 'nodes', 'There are'],
  ['nesting', 'budget-nesting', 'levels of clusters', 'There are'],
  ['values', 'budget-values', 'values', 'The solution has'],
  ['timeMs', 'budget-time', 'ms of processor time', 'Solving takes'],
] as const

function findBudgetFaults({ measures }: Inspection, { budgets }: Settings): FoundFault[] {
  return BUDGETS.flatMap(([name, rule, unit, begin]) => {
    const [allowed, found] = [budgets[name], measures[name === 'timeMs' ? 'solveMs' : name]]
    if (allowed === undefined || found === undefined || found <= allowed) return []
    return [{ rule, message: `${begin} ${found} ${unit}; the budget is ${allowed}` }]
  })
}

const UNKNOWN: readonly RuleId[] = ['test-unknown', 'snapshot-unknown']

/** Returns the finding of a fault; none where its rule is off. */
function weigh(
  fault: FoundFault,
  { rules }: Settings,
  { allowUnknown, requireSnapshots }: CheckOptions,
  isTestFile: boolean,
): Finding[] {
  const { rule } = fault
  if (isTestFile && !looksAtTests(rule)) return []
  let severity = rules[rule]
  if (rule === 'snapshot-missing' && requireSnapshots) severity = 'error'
  if (allowUnknown && UNKNOWN.includes(rule) && severity === 'error') severity = 'warning'
  return severity === 'off' ? [] : [{ ...fault, severity }]
}

/** Returns the verdict of a test: a test never passes when anything about it is unknown. */
function judge(faults: readonly FoundFault[], asserts: Inspection['asserts']): FileStatus {
  const rules = new Set(faults.map(({ rule }) => rule))
  if (
    ['unreadable-file', 'unfinished-solve', 'test-failed', 'snapshot-different'].some((rule) =>
      rules.has(rule as RuleId),
    )
  )
    return 'failed'
  if (UNKNOWN.some((rule) => rules.has(rule)) || asserts.some(({ status }) => status === 'unknown'))
    return 'unknown'
  return asserts.length > 0 && asserts.every(({ status }) => status === 'skipped') ? 'skipped' : 'passed'
}

const findStatus = (findings: readonly Finding[]): FileStatus =>
  findings.some(({ severity }) => severity === 'error') ? 'failed' : 'ok'
