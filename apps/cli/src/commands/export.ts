import { basename, dirname, join } from 'node:path'
import type { Meadow, RequestExportParameters } from '@meadow/client'
import { downloadFile } from '@meadow/client/node'
import { UsageFailure } from '@meadow/command'
import { STDOUT, writeFile } from '@meadow/command/files'
import { createProgress } from '@meadow/command/terminal'
import type { Command, CommandContext } from '../command-context.ts'
import { findDocument } from '../find/find-document.ts'
import { parameterOf, WAIT_OPTION } from '../help.ts'
import { findTarget, writeToStdout } from '../output/target.ts'
import { toFileName } from '../pull/file-names.ts'
import { waitUntilSolved } from '../wait-until-solved.ts'

interface ExportOptions {
  format: string
  modelerVersion?: string
  output?: string
  wait?: number
  link?: true
  hidden?: true
}

type ModelerVersion = NonNullable<RequestExportParameters['modelerVersion']>

/** The formats that the service makes, without their dots. */
const SERVICE_FORMATS = parameterOf('requestExport', 'format').values.map((format) =>
  format.replace(/^\./, ''),
)
/** The formats that this command makes from a solution with geometry. */
const LOCAL_FORMATS = ['glb', 'obj']

/** The API has a dot before its formats, which is optional here. */
const FORMAT_OPTION = {
  '-f, --format <format>': {
    says: 'The format of the file, with or without a dot.',
    choices: [...SERVICE_FORMATS, ...LOCAL_FORMATS],
    read: (text: string) => text.replace(/^\./, ''),
    isRequired: true,
  },
} as const

/** `meadow export` writes a file of a document or its solution. */
export const exportCommand: Command = {
  name: 'export',
  description:
    'Save a document as .gh, or its solution as a model: .3dm, .glb or .obj (in metres, with y up).',
  arguments: { '<document>': 'The document.' },
  options: {
    ...FORMAT_OPTION,
    '--modeler-version <version>': {
      says: 'The version of Rhino that a .3dm is for.',
      choices: parameterOf('requestExport', 'modelerVersion').values,
    },
    '-o, --output <file>': "A file, a folder, or - for stdout; the document's name unless given.",
    '--link': 'Print the download link, which works for an hour, and download nothing.',
    '--hidden': 'Draw nodes whose preview is off, too. For .glb and .obj.',
    ...WAIT_OPTION,
  },
  reads: ['requestExport', 'readSolution'],
  examples: [
    'meadow export Tower --format 3dm',
    'meadow export Tower --format gh -o backups/',
    'meadow export Tower --format glb -o - > tower.glb',
    'curl -O "$(meadow export Tower --format 3dm --link)"',
  ],
  run: exportDocument,
}

async function exportDocument(context: CommandContext, name: string, options: ExportOptions): Promise<void> {
  const { signal } = context
  const { format, modelerVersion, wait } = options
  const isLocal = LOCAL_FORMATS.includes(format)
  if (modelerVersion !== undefined && format !== '3dm')
    throw new UsageFailure('--modeler-version is for --format 3dm.')
  if (isLocal && options.link)
    throw new UsageFailure(`A .${format} is made on this computer: it has no link.`)
  const meadow = await context.openMeadow()
  const id = await findDocument(meadow, name, signal)
  if (wait !== undefined) await waitUntilSolved(meadow, id, wait, signal)
  await (isLocal
    ? exportLocally(context, meadow, id, options)
    : exportByService(context, meadow, id, options))
}

async function exportByService(
  context: CommandContext,
  meadow: Meadow,
  documentId: string,
  { format, modelerVersion, output: target, link }: ExportOptions,
): Promise<void> {
  const { output, signal, stderr, env } = context
  const parameters = {
    format: `.${format}` as RequestExportParameters['format'],
    ...(modelerVersion !== undefined && { modelerVersion: Number(modelerVersion) as ModelerVersion }),
  }
  const file = await meadow.requestExport(documentId, { ...parameters, signal })
  for (const warning of file.warnings) output.warning(warning)
  if (link) return output.data(file, () => file.url)
  const request = { documentId, ...parameters }
  using progress = createProgress({ env, output, stderr })
  const onProgress = (received: number, total: number) =>
    progress.show(`${file.fileName}  ${formatBytes(received)} of ${formatBytes(total)}`)
  if (target === STDOUT) {
    const { stream } = await meadow.download(request, { export: file, signal, onProgress })
    return writeToStdout(context, stream)
  }
  const path = await findTarget(target, toFileName(file.fileName.slice(0, -format.length - 1), `.${format}`))
  const { resumedBytes } = await downloadFile(meadow, request, path, { export: file, signal, onProgress })
  progress.clear()
  await output.data({ ...file, path, resumedBytes }, () => `${path}  ${formatBytes(file.size)}`)
}

/**
 * Makes the file in this process. The unit comes with the objects of `bimz`; names and colours come with the document.
 */
async function exportLocally(
  context: CommandContext,
  meadow: Meadow,
  documentId: string,
  { format, output: target, hidden }: ExportOptions,
): Promise<void> {
  const { output, signal, run } = context
  const [solution, document] = await Promise.all([
    meadow.readSolution(documentId, { format: 'bimz', signal }),
    meadow.readDocument(documentId, { signal }),
  ])
  const path = await findTarget(
    target === STDOUT ? undefined : target,
    toFileName(document.name, `.${format}`),
  )
  const mtlName = `${basename(path, `.${format}`)}.mtl`
  const options = { document, hidden: hidden === true, mtlName }
  const { toGlb, toObj } = await import('@meadow/gltf')
  const model = await run(() => (format === 'glb' ? toGlb(solution, options) : toObj(solution, options)))
  const { counts, skipped } = model
  if (counts.values === 0)
    output.warning(
      'The solution shows no geometry: the model is empty. --hidden draws what is not shown, too.',
    )
  if (skipped.length > 0) output.warning(`${describeSkipped(skipped)} are not in the model.`)
  const bytes = 'bytes' in model ? model.bytes : new TextEncoder().encode(model.obj)
  if (target === STDOUT) return writeToStdout(context, [bytes])
  await writeFile(path, [bytes])
  const mtlPath = 'mtl' in model ? join(dirname(path), mtlName) : undefined
  if ('mtl' in model) await writeFile(mtlPath!, model.mtl)
  await output.data(
    { path, ...(mtlPath !== undefined && { mtlPath }), size: bytes.length, counts, skipped },
    () =>
      `${path}  ${formatBytes(bytes.length)}, ${counts.values} values, ${counts.triangles} triangles, ${counts.lines} lines`,
  )
}

/** Describes skipped values, such as `3 values (brep, curve)`. */
function describeSkipped(skipped: readonly { type: string }[]): string {
  const types = [...new Set(skipped.map(({ type }) => type))].join(', ')
  return `${skipped.length} values (${types})`
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB']

/** Formats a size, such as `1.5 MB`. */
function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1)
  const amount = bytes / 1000 ** power
  return `${power === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${UNITS[power]}`
}
