import type { Document, Export, Meadow, Solution } from '@meadow/client'
import { endpointPath, NotSolved, SolveFailed, Solving } from '@meadow/client'
import { downloadFile } from '@meadow/client/node'
import type { Interrupt } from '@meadow/command'
import { readFailure } from '../failure.ts'
import { type SolutionState, stateOf } from '../wait-until-solved.ts'
import { FORMATS, type Format, NEEDS_VALUES } from './formats.ts'
import type { MirrorFiles } from './mirror-files.ts'
import type { PlacedDocument } from './place.ts'
import type { PulledDocument, PulledFile } from './state.ts'

/** The result of pulling a document. */
export interface PullResult {
  pulled: PulledDocument
  written: Format[]
  /** The files of a solution that does not exist any more. */
  removed: Format[]
  /** The wanted files that do not exist, with the state of the solution because of which they cannot be made. */
  missing: { format: Format; state: Exclude<SolutionState, 'solved'> }[]
  /** The state of its solution; absent when the wanted files do not need it. */
  state?: SolutionState
}

interface PullParts {
  meadow: Meadow
  files: MirrorFiles
  formats: readonly Format[]
  signal: AbortSignal
  /** Runs work that Ctrl-C ends in the middle. */
  run: Interrupt['run']
  /** Notes what is about to be written, so that the files of a pull that is killed belong to the mirror. */
  claim(id: string, document: PulledDocument): Promise<void>
}

/** Stands for a file that is out of date, so that it is written again. */
const STALE = { size: -1, sha256: '' }

/**
 * Brings the files of a document up to date. The time of the last change in the folder's listing shows whether the
 * document has changed. A solution is requested with the tag of the one that the files are made of, and the service
 * answers 304 when nothing has changed.
 */
export async function pullDocument(
  parts: PullParts,
  placed: PlacedDocument,
  known: PulledDocument | undefined,
): Promise<PullResult> {
  const { formats, files } = parts
  const { id, base, name, updatedAt } = placed
  const isSame = known?.updatedAt === updatedAt && known.name === name
  const missing = new Set<Format>()
  for (const format of formats)
    if (!(await files.isIntact(base, format, known?.files[format]))) missing.add(format)

  await claimFiles(parts, placed, known)
  const pulled: PulledDocument = { base, name, updatedAt, files: { ...known?.files } }
  const result: PullResult = { pulled, written: [], removed: [], missing: [] }
  if (!isSame) markStale(pulled, formats, 'document')
  const readDocument = once(() => parts.meadow.readDocument(id, { signal: parts.signal }))
  const isStale = (format: Format) => formats.includes(format) && (!isSame || missing.has(format))

  if (isStale('json')) await write(parts, result, 'json', toJson(await readDocument()))
  if (isStale('gh')) await pullExport(parts, result, id, 'gh', missing.has('gh'))

  const ofSolution = formats.filter((format) => FORMATS[format].of === 'solution')
  if (ofSolution.length === 0) return result
  const hasValues = ofSolution.some((format) => NEEDS_VALUES.includes(format))
  // Tables contain names of the document, so they are written again after it has changed.
  const hasFiles = isSame && !ofSolution.some((format) => missing.has(format))
  const answer = await askForSolution(parts, id, hasFiles ? known?.solutionTag : undefined, hasValues)
  result.state = answer.state
  if (answer.state === 'never solved') {
    result.removed = ofSolution.filter((format) => pulled.files[format])
    await files.remove(base, result.removed)
    for (const format of result.removed) delete pulled.files[format]
  }
  // The existing files stay until there is another solution.
  if (answer.state !== 'solved') {
    for (const format of ofSolution) await noteMissing(parts, result, format, answer.state)
    pulled.unsolved = answer.state
    return keepTag(result, known, isSame)
  }
  if (answer.tag === undefined) return keepTag(result, known, isSame)
  pulled.solutionTag = answer.tag
  markStale(pulled, formats, 'solution')
  if (answer.solution) await writeValues(parts, result, answer.solution, readDocument)
  if (ofSolution.includes('3dm')) await pullExport(parts, result, id, '3dm', missing.has('3dm'))
  return result
}

/** Whether the files of a document are those of its last pull, if neither it nor its solution has changed since then. */
export async function isUpToDate(
  { formats, files }: Pick<PullParts, 'formats' | 'files'>,
  { base, name, updatedAt }: PlacedDocument,
  known: PulledDocument,
): Promise<boolean> {
  if (known.base !== base || known.name !== name || known.updatedAt !== updatedAt) return false
  const isOfSolution = formats.some((format) => FORMATS[format].of === 'solution')
  if (isOfSolution && (known.solutionTag === undefined || known.unsolved !== undefined)) return false
  for (const format of formats) if (!(await files.isIntact(base, format, known.files[format]))) return false
  return true
}

/** Claims the places of new files. A file that exists at such a place stays, unless it is the same file. */
async function claimFiles(
  { files, formats, claim }: PullParts,
  { id, base, name }: PlacedDocument,
  known: PulledDocument | undefined,
): Promise<void> {
  const free: [Format, PulledFile][] = []
  for (const format of formats)
    if (!known?.files[format] && !(await files.exists(base, format))) free.push([format, STALE])
  if (free.length === 0) return
  const claimed = known ?? { base, name, updatedAt: '' }
  await claim(id, { ...claimed, files: { ...known?.files, ...Object.fromEntries(free) } })
}

/**
 * Marks files that an earlier pull requested and this one does not. The next pull that requests them writes them again.
 */
function markStale({ files }: PulledDocument, wanted: readonly Format[], of: 'document' | 'solution'): void {
  for (const format of Object.keys(files) as Format[])
    if (FORMATS[format].of === of && !wanted.includes(format)) files[format] = STALE
}

/** Keeps the tag of an older solution, unless its files are to be written again in any case. */
function keepTag(result: PullResult, known: PulledDocument | undefined, isSame: boolean): PullResult {
  if (isSame && known?.solutionTag !== undefined) result.pulled.solutionTag = known.solutionTag
  return result
}

interface SolutionAnswer {
  state: SolutionState
  /** Absent when the solution is the one that is here. */
  tag?: string
  solution?: Solution
}

async function askForSolution(
  { meadow, signal }: PullParts,
  id: string,
  tag: string | undefined,
  hasValues: boolean,
): Promise<SolutionAnswer> {
  const path = endpointPath('readSolution', id)
  const response = await meadow.request(path, {
    method: hasValues ? 'GET' : 'HEAD',
    headers: tag === undefined ? {} : { 'if-none-match': tag },
    signal,
  })
  if (response.status === 304) return { state: 'solved' }
  if (response.status === 200) {
    const solution = hasValues ? ((await response.json()) as Solution) : undefined
    return { state: 'solved', tag: response.headers.get('etag') ?? '', ...(solution && { solution }) }
  }
  const error = await readFailure(response, path)
  const state = stateOf(error)
  if (state === undefined) throw error
  return { state }
}

async function writeValues(
  parts: PullParts,
  result: PullResult,
  solution: Solution,
  readDocument: () => Promise<Document>,
): Promise<void> {
  const { formats, run } = parts
  if (formats.includes('solution')) await write(parts, result, 'solution', await run(() => toJson(solution)))
  if (!formats.includes('csv') && !formats.includes('parquet')) return
  const { toCsv, toParquet } = await import('@meadow/tables')
  const source = { solution, document: await readDocument() }
  if (formats.includes('csv')) await write(parts, result, 'csv', await run(() => toCsv(source)))
  if (formats.includes('parquet')) await write(parts, result, 'parquet', await run(() => toParquet(source)))
}

/** Downloads a file that the service makes, unless the existing file is the same. */
async function pullExport(
  { meadow, files, signal }: PullParts,
  result: PullResult,
  documentId: string,
  format: 'gh' | '3dm',
  isMissing: boolean,
): Promise<void> {
  const { pulled } = result
  const request = { documentId, format: `.${format}` } as const
  let file: Export
  try {
    file = await meadow.requestExport(documentId, { format: request.format, signal })
  } catch (error) {
    // The state of the solution is reported; a document that was never solved has no exports.
    if (error instanceof NotSolved || error instanceof Solving || error instanceof SolveFailed) {
      const state = stateOf(error)!
      result.state = state
      // The existing file is of an older document, so the next pull requests it again.
      const old = pulled.files[format]
      if (old) pulled.files[format] = { ...old, size: -1 }
      return noteMissing({ files }, result, format, state)
    }
    throw error
  }
  if (!isMissing && pulled.files[format]?.sha256 === file.sha256) return
  const isOurs = pulled.files[format] !== undefined
  await files.place(pulled.base, format, file.sha256, isOurs, async (unfinished) => {
    // The file may be another one than was announced, when the document was solved meanwhile.
    file = (await downloadFile(meadow, request, unfinished, { export: file, signal })).export
  })
  pulled.files[format] = { size: file.size, sha256: file.sha256 }
  result.written.push(format)
}

/** Notes that a file cannot be made. A file of an older document or solution may still exist. */
async function noteMissing(
  { files }: Pick<PullParts, 'files'>,
  { pulled, missing }: PullResult,
  format: Format,
  state: Exclude<SolutionState, 'solved'>,
): Promise<void> {
  const isHere = pulled.files[format] !== undefined && (await files.exists(pulled.base, format))
  if (!isHere) missing.push({ format, state })
}

async function write(
  { files }: PullParts,
  { pulled, written }: PullResult,
  format: Format,
  content: string | Uint8Array,
): Promise<void> {
  const before = pulled.files[format]
  const file = await files.write(pulled.base, format, content, before !== undefined)
  pulled.files[format] = file
  if (before?.sha256 !== file.sha256) written.push(format)
}

/** Formats JSON with one member per line, so that versions can be compared. */
const toJson = (value: object): string => `${JSON.stringify(value, undefined, 1)}\n`

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let promise: Promise<T> | undefined
  return () => {
    promise ??= read()
    return promise
  }
}
