import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type CommandContext,
  CommandFailure,
  type Declaration,
  formatCount,
  printable,
  UsageFailure,
} from '@meadow/command'
import { STDOUT, writeFile, writePiece } from '@meadow/command/files'
import type { ModelerVersion } from '@meadow/contract'
import { EXPORT_FORMATS, type ExportFormat, MODELER_VERSIONS } from '@meadow/contract/terms'
import { createDocumentContents } from '../../content/document-contents.ts'
import { type ExportFile, MAKER_OPTIONS } from '../../features/exports/export-maker.ts'
import { type ExportTarget, toFileName, toTarget } from '../../features/exports/export-target.ts'
import { openExports } from '../../features/exports/open-exports.ts'
import { getExportable } from '../../features/solutions/get-exportable.ts'
import { createSolutionStore } from '../../features/solutions/solutions.store.ts'
import { HttpError } from '../../http/http-error.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { createLog } from '../../platform/log.ts'
import { reasonOf } from '../../platform/system-errors.ts'
import { getDocuments, openStorage, type Storage } from '../storage.ts'

/** `meadow-server export` */
export const exportFile: Declaration = {
  name: 'export',
  description:
    'Write a document as .gh, or its most recent solution as .3dm: the same file as the API gives.',
  arguments: { '<document>': 'The id of a document, which has been solved.' },
  options: {
    '--format <format>': { says: 'What kind of file.', choices: EXPORT_FORMATS, isRequired: true },
    '--modeler-version <version>': {
      says: 'The Rhino that is to open a .3dm; 9 unless told.',
      choices: MODELER_VERSIONS,
    },
    '-o, --output <file>': { says: 'Where to write it; - for standard output.', isRequired: true },
  },
  examples: [
    'meadow-server export <DOCUMENT> --format .3dm -o tower.3dm',
    'meadow-server export <DOCUMENT> --format .3dm --modeler-version 7 -o tower.3dm',
    'meadow-server export <DOCUMENT> --format .gh -o - > tower.gh',
  ],
  run: runExport,
}

interface Options {
  format: ExportFormat
  modelerVersion?: (typeof MODELER_VERSIONS)[number]
  output: string
}

/** Long enough for any export, since no other caller waits. */
const PATIENCE_MS = 60 * 60 * 1000

async function runExport(context: CommandContext, id: string, options: Options): Promise<void> {
  const { output, stdout } = context
  const target = readTarget(options)
  if (options.output === STDOUT && !output.isForPeople) {
    throw new UsageFailure('"-o -" and "--json" both write to standard output: leave one of them out.')
  }
  using interrupt = context.watchInterrupt(() => output.warning('Stopped.'))
  const { signal } = interrupt
  try {
    await using storage = await openStorage(context)
    const { file, blobs } = await getFile(storage, id, target, signal)
    for (const warning of file.warnings) output.warning(printable(warning))
    const content = (write: WriteChunk) => pour(blobs, file, write, signal)
    if (options.output === STDOUT) await content((chunk) => writePiece(stdout, chunk))
    else {
      await checkNoFolder(options.output)
      await writeFile(options.output, content)
      const fileName = toFileName(file.source.name, target.format)
      const { digest: sha256, bytes: size, warnings } = file
      const solutionId = file.source.solution?.id
      const facts = { ...target, fileName, size, sha256, solutionId, warnings, file: options.output }
      await output.data({ documentId: id, ...facts }, () => options.output)
    }
    output.message(describe(file, target))
  } catch (error) {
    throw toFailure(error)
  }
}

async function checkNoFolder(path: string): Promise<void> {
  const facts = await stat(path).catch(() => undefined)
  if (!facts?.isDirectory()) return
  throw new CommandFailure(
    `"${printable(path)}" is a folder: name a file, such as "${join(path, 'model.3dm')}".`,
  )
}

function readTarget({ format, modelerVersion }: Options): ExportTarget {
  if (format === '.gh' && modelerVersion !== undefined) {
    throw new UsageFailure('"--modeler-version" applies to "--format .3dm" only: leave it out for .gh.')
  }
  return toTarget(format, modelerVersion && (Number(modelerVersion) as ModelerVersion))
}

async function getFile(storage: Storage, id: string, target: ExportTarget, signal: AbortSignal) {
  const { database, jobs } = storage
  const [document] = await getDocuments(storage, [id])
  const { team } = document!
  const solutions = createSolutionStore(database)
  const { blobs, location: blobsLocation } = await storage.openBlobs()
  await using exports = await openExports({
    database,
    blobs,
    blobsLocation,
    contents: createDocumentContents(database, blobs),
    requireSolution: (team, id) => getExportable(solutions, team, id),
    log: createLog('silent'),
    limits: jobs.exports,
    options: { ...MAKER_OPTIONS, timeoutMs: PATIENCE_MS },
  })
  const file = await exports.maker.get({ resourceScope: team, documentId: id, target }, signal)
  return { file, blobs }
}

type WriteChunk = (chunk: Uint8Array) => Promise<void>

async function pour(
  blobs: BlobStore,
  { digest }: ExportFile,
  write: WriteChunk,
  signal: AbortSignal,
): Promise<void> {
  const blob = await blobs.open(digest)
  if (!blob) throw new Error(`The blob ${digest} of an export is missing.`)
  await blob.pour((chunk) => {
    signal.throwIfAborted()
    return write(chunk)
  })
}

function describe({ bytes }: ExportFile, { archiveVersion }: ExportTarget): string {
  const form = archiveVersion === null ? '' : `, an archive of version ${archiveVersion}`
  return `Wrote ${formatCount(bytes)} bytes${form}.`
}

/** The API's errors with their sentence; for the operator also why a file could not be made. */
function toFailure(error: unknown): unknown {
  if (!(error instanceof HttpError)) return error
  const { sentence, cause } = error
  return new CommandFailure(cause === undefined ? sentence : `${sentence} ${reasonOf(cause)}`)
}
