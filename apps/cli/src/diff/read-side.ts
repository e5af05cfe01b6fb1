import { existsSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Meadow } from '@meadow/client'
import { CommandFailure, UsageFailure } from '@meadow/command'
import type { VersionForToken } from '@meadow/contract/web'
import type { DocumentContent } from '@meadow/diff'
import type { CommandContext } from '../command-context.ts'
import { EXIT_CODES, readFailure } from '../failure.ts'
import { findDocument } from '../find/find-document.ts'
import { isRevision, readCommitted, readRevisionOf } from './git.ts'

/** One of the two things that are compared. */
export interface Side {
  /** The name that the user gave it. */
  name: string
  content: DocumentContent
}

export type SideContext = Pick<CommandContext, 'openMeadow' | 'signal' | 'run'>

/**
 * Reads what the operands of `meadow diff` name: two documents, or one or two revisions of a file, as in git. Fails
 * with a message about the operand that is wrong.
 */
export async function readSides(operands: readonly string[], context: SideContext): Promise<[Side, Side]> {
  const [first = '', second, third] = operands
  if (third !== undefined) return readRevisions(first, second!, third, context)
  if (second === undefined) {
    if (!isFile(first))
      throw new UsageFailure(
        `There is no file ${JSON.stringify(first)} to compare with its last commit: name two things, or a file.`,
      )
    return [await readRevision('HEAD', first, context), await readSide(first, context)]
  }
  if (!isFile(first) && isFile(second) && (await isRevision(first, dirname(second)))) {
    return [await readRevision(first, second, context), await readSide(second, context)]
  }
  return [await readSide(first, context), await readSide(second, context)]
}

async function readRevisions(
  first: string,
  second: string,
  file: string,
  context: SideContext,
): Promise<[Side, Side]> {
  for (const revision of [first, second]) {
    if (await isRevision(revision, dirname(file))) continue
    throw new UsageFailure(
      `${JSON.stringify(revision)} is no revision of the repository of ${JSON.stringify(file)}.`,
    )
  }
  return [await readRevision(first, file, context), await readRevision(second, file, context)]
}

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile()

async function readRevision(revision: string, file: string, { run }: SideContext): Promise<Side> {
  const name = `${revision}:${file}`
  return { name, content: await parseDocument(await readRevisionOf(file, revision), name, run) }
}

/** Reads one operand: a file, a file of a commit as `REVISION:PATH`, or a document or version of the service. */
async function readSide(text: string, { openMeadow, signal, run }: SideContext): Promise<Side> {
  if (isFile(text)) return { name: text, content: await parseDocument(await readFile(text), text, run) }
  const colon = text.indexOf(':')
  if (colon > 0 && (await isRevision(text.slice(0, colon), '.'))) {
    const bytes = await readCommitted(text.slice(0, colon), text.slice(colon + 1), '.')
    return { name: text, content: await parseDocument(bytes, text, run) }
  }
  if (/\.(gh|ghx)$/i.test(text))
    throw new CommandFailure(`There is no file ${JSON.stringify(text)}.`, { exitCode: EXIT_CODES.notFound })
  const meadow = await openMeadow()
  return { name: text, content: await readStored(meadow, text, signal) }
}

/** Reads a document of the service, or a version of it as `DOCUMENT@VERSION`. The names of both may contain an `@`. */
async function readStored(meadow: Meadow, text: string, signal: AbortSignal): Promise<DocumentContent> {
  const whole = await findIfThere(meadow, text, signal)
  if (typeof whole === 'string') return meadow.readDocument(whole, { signal })
  let failure = whole
  for (let at = text.lastIndexOf('@', text.length - 2); at > 0; at = text.lastIndexOf('@', at - 1)) {
    const documentId = await findIfThere(meadow, text.slice(0, at), signal)
    if (typeof documentId === 'string') return readVersion(meadow, documentId, text.slice(at + 1), signal)
    failure = documentId
  }
  throw failure
}

/** Resolves with the id of a document, or with the reason why there is no such document. */
async function findIfThere(
  meadow: Meadow,
  text: string,
  signal: AbortSignal,
): Promise<string | CommandFailure> {
  try {
    return await findDocument(meadow, text, signal)
  } catch (error) {
    if (error instanceof CommandFailure && error.exitCode === EXIT_CODES.notFound) return error
    throw error
  }
}

async function readVersion(
  meadow: Meadow,
  documentId: string,
  version: string,
  signal: AbortSignal,
): Promise<DocumentContent> {
  const path = `/documents/${documentId}/versions`
  const id = await findVersion(meadow, path, version, signal)
  const { document } = await readJson<{ document: DocumentContent }>(meadow, `${path}/${id}`, signal)
  return document
}

/** The members of a version that `findVersion` uses. */
type Listed = Pick<VersionForToken, 'id' | 'seq' | 'name'>

/** Resolves with the id of a version that a user names: by its id, its number, or its name. */
async function findVersion(meadow: Meadow, path: string, text: string, signal: AbortSignal): Promise<string> {
  const named: Listed[] = []
  let after: string | null = null
  do {
    const query: Record<string, string> = after === null ? {} : { after }
    const page: { versions: Listed[]; next: string | null } = await readJson(meadow, path, signal, query)
    const found = page.versions.find(({ id, seq }) => id === text || String(seq) === text)
    if (found) return found.id
    named.push(...page.versions.filter(({ name }) => name === text))
    after = page.next
  } while (after !== null)
  if (named.length === 1) return named[0]!.id
  const asked = JSON.stringify(text)
  if (named.length > 1) {
    const numbers = named.map(({ seq }) => seq).join(', ')
    throw new UsageFailure(`Several versions are called ${asked}. Name one by its number: ${numbers}.`)
  }
  throw new CommandFailure(
    `The document has no version with the id, number or name ${asked}. "meadow api ${path}" lists them.`,
    { exitCode: EXIT_CODES.notFound },
  )
}

async function readJson<T>(
  meadow: Meadow,
  path: string,
  signal: AbortSignal,
  query: Record<string, string> = {},
): Promise<T> {
  const response = await meadow.request(path, { query, signal })
  if (response.status !== 200) throw await readFailure(response, path)
  return (await response.json()) as T
}

const OPENING_BRACE = 0x7b

/** Parses a definition, or a document as JSON, as `meadow get --json` prints it. */
async function parseDocument(
  bytes: Uint8Array,
  name: string,
  run: CommandContext['run'],
): Promise<DocumentContent> {
  const { repairGraph } = await import('@meadow/document')
  if (bytes[0] === OPENING_BRACE) return parseJson(bytes, name)
  const { describeClusters, describeStored, GrasshopperError, readClusters, readDefinition } = await import(
    '@meadow/grasshopper'
  )
  try {
    return await run(() => {
      const { content, original } = readDefinition(bytes)
      return {
        ...repairGraph(content).content,
        clusters: describeClusters(readClusters(original)),
        stored: describeStored(original),
      }
    })
  } catch (error) {
    if (error instanceof GrasshopperError)
      throw new CommandFailure(`${JSON.stringify(name)} is no definition that can be read: ${error.message}.`)
    throw error
  }
}

function parseJson(bytes: Uint8Array, name: string): DocumentContent {
  const failure = new CommandFailure(`${JSON.stringify(name)} is JSON, but no document.`)
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw failure
  }
  const document = (value as { document?: unknown }).document ?? value
  const { nodes, groups, configuration } = document as Partial<DocumentContent>
  if (typeof nodes !== 'object' || nodes === null || !Array.isArray(groups) || !configuration) throw failure
  return document as DocumentContent
}
