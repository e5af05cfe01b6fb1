import { hash } from 'node:crypto'
import { readSolution, SOLUTION_FORMATS } from '@meadow/contract'
import { teamOf } from '../../access/resource-scope.ts'
import type { ContentIndexes } from '../../content/content-index.ts'
import type { DocumentContents } from '../../content/document-contents.ts'
import { findNamed, nameOf, readParts } from '../../http/api/requested-parts.ts'
import { type ApiRequest, serve } from '../../http/api/route.ts'
import { HttpError } from '../../http/http-error.ts'
import { GrowingBody, RewrittenBody, type StoredBody } from '../../http/responses/response-body.ts'
import { type BodyMaker, type StreamedForm, toStoredBody } from './bodies/body-maker.ts'
import { type SolutionParts, writeParts } from './bodies/write-parts.ts'
import { createUnsolvedError } from './get-exportable.ts'
import type { SolutionStore, StoredSolution } from './solutions.store.ts'
import type { SolveWaits } from './solve-waits.ts'

/** Where the names of nodes are found. */
export interface NodeNames {
  contents: Pick<DocumentContents, 'find'>
  indexes: Pick<ContentIndexes, 'get'>
}

export const solutionRoutes = (
  solutions: SolutionStore,
  bodies: BodyMaker,
  waits: Pick<SolveWaits, 'wait'>,
  names: NodeNames,
) => [
  serve(
    readSolution,
    async (request) => {
      const form = readForm(request.query)
      const { resourceScope, tokenId: token } = request.principal
      const team = teamOf(resourceScope)
      const find = () => solutions.find(resourceScope, request.params.documentId)
      const seconds = readWait(request.headers.prefer)
      let status = await find()
      let waited = false
      if (status?.state === 'running' && seconds > 0) {
        const { document } = status
        const wait = { document, team, token, seconds, find, signal: request.signal }
        const ended = await request.quota.waitFor(() => waits.wait(wait))
        if (ended) [status, waited] = [ended.status, true]
      }
      if (status?.state !== 'solved') {
        throw createUnsolvedError(status, waited ? { 'preference-applied': `wait=${seconds}` } : {})
      }
      const { solution } = status
      const parts = await readSolutionParts(request, form, solution, names)
      const findForm = (): Promise<StoredBody | GrowingBody | RewrittenBody> =>
        parts ? findParts(solution, form, parts, bodies) : findBody(solution, form, bodies)
      return form === 'values' ? findForm() : request.quota.waitFor(findForm)
    },
    { isCached: false },
  ),
]

type SolutionForm = 'values' | StreamedForm

/** Only an unknown or repeated format is an error; all other queries have a meaning (decision 7). */
function readForm(query: URLSearchParams): SolutionForm {
  const formats = query.getAll('format')
  const format = formats.length === 0 ? 'json' : SOLUTION_FORMATS.find((known) => known === formats[0])
  if (!format || formats.length > 1) throw new HttpError('solution_format_not_accepted')
  if (format === 'bimz') return 'bimz'
  return query.get('includeGeometry') === 'true' ? 'geometry' : 'values'
}

/**
 * The body of a solution in the requested form. If the geometry cannot be read it is the body without geometry, which
 * says so (contract, part 4). Each form has an entity tag of its own. A large body that is being made is sent meanwhile.
 */
async function findBody(
  solution: StoredSolution,
  form: SolutionForm,
  bodies: BodyMaker,
): Promise<StoredBody | GrowingBody> {
  const body = form === 'values' ? undefined : await bodies.getEarly(solution, form)
  const tag = tagOf(solution, form, body)
  if (!body) return toStoredBody(tag, solution.values)
  if ('forms' in body) return toStoredBody(tag, body.forms)
  const stored = body.found.then((found) => toStoredBody(tag, found!.forms))
  return new GrowingBody(`"${tag}"`, () => body.growing.open(), stored)
}

/** The entity tag without its quotes. `body` is undefined for the values without geometry. */
const tagOf = ({ id }: StoredSolution, form: SolutionForm, body: { isWhole: boolean } | undefined): string =>
  body ? `${id}.${form}${body.isWhole ? '' : '-without-geometry'}` : id

/**
 * Reads which parts of the solution are requested, and whether in lines; undefined for all of it as usual. The names of
 * nodes belong to the document, so to a token that may not read it no node has one.
 */
async function readSolutionParts(
  { query, headers, principal, quota }: ApiRequest,
  form: SolutionForm,
  { document }: StoredSolution,
  { contents, indexes }: NodeNames,
): Promise<SolutionParts | undefined> {
  const isInLines = form !== 'bimz' && prefersLines(headers.accept)
  const { nodes: items, fields } = readParts(query) ?? {}
  if (!items && !fields && !isInLines) return undefined
  if (!items) return { nodes: undefined, fields, isInLines }
  const hasNames = items.some((item) => nameOf(item) !== undefined) && principal.scopes.has('documents:read')
  const content = hasNames ? await contents.find(document, { reserve: quota.reserve }) : undefined
  const nodes = content ? (await indexes.get({ key: document, ...content }, quota.reserve)).nodes : []
  return { nodes: { items, named: findNamed(items, nodes) }, fields, isInLines }
}

const LINES_TYPE = 'application/x-ndjson'
/** What a response counts as being sent when only some nodes are requested, in bytes. */
const MAX_SELECTED_BYTES = 2 ** 20

/** The requested parts of a solution, with an entity tag of their own, written from its complete body. */
async function findParts(
  solution: StoredSolution,
  form: SolutionForm,
  parts: SolutionParts,
  bodies: BodyMaker,
): Promise<RewrittenBody> {
  const body = form === 'values' ? undefined : await bodies.get(solution, form)
  const source = toStoredBody(tagOf(solution, form, body), body?.forms ?? solution.values)
  const named = parts.nodes && [...parts.nodes.named].map(([name, ids]) => [name, ...ids])
  const asked = JSON.stringify([source.tag, parts.nodes?.items, named, parts.fields, parts.isInLines])
  return new RewrittenBody(`"${solution.id}.${hash('sha256', asked, 'base64url').slice(0, 27)}"`, source, {
    type: parts.isInLines ? LINES_TYPE : source.type,
    size: parts.nodes ? Math.min(source.size, MAX_SELECTED_BYTES) : source.size,
    rewrite: (chunks) => writeParts(chunks, parts),
  })
}

/** A media range of `Accept`, and its parameters. */
const MEDIA_RANGE = /^\s*([\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)\s*((?:;.*)?)$/

/** Whether `Accept` gives lines more weight than JSON. */
export function prefersLines(accept: string | undefined): boolean {
  if (!accept?.toLowerCase().includes(LINES_TYPE)) return false
  const weights = new Map<string, number>()
  for (const item of accept.toLowerCase().split(',')) {
    const [, range, parameters] = MEDIA_RANGE.exec(item) ?? []
    if (range === undefined) continue
    const weight = /;\s*q\s*=\s*([^;\s]*)/.exec(parameters!)?.[1]
    weights.set(range, weight === undefined ? 1 : Number(weight) || 0)
  }
  const weightOf = (type: string) =>
    weights.get(type) ?? weights.get('application/*') ?? weights.get('*/*') ?? 0
  return weightOf(LINES_TYPE) > weightOf('application/json')
}

/** What is between the commas of `Prefer` (RFC 7240). Neither pattern has two ways to match a text, which would take time. */
const PREFERENCE = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g
/** A preference with its value, in quotes or without; what follows are parameters, which are ignored. */
const NAME_AND_VALUE = /^\s*([^\s=;"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*)))?/

/** The longest wait that can be requested, in seconds. */
const MAX_WAIT_S = 30

/**
 * The seconds of `Prefer: wait=N`, at most 30; 0 without it, or when N is not a whole number. The first of several
 * counts (RFC 7240).
 */
export function readWait(prefer: string | string[] | undefined): number {
  if (prefer === undefined) return 0
  for (const [preference] of String(prefer).matchAll(PREFERENCE)) {
    const [, name, quoted, plain] = NAME_AND_VALUE.exec(preference) ?? []
    if (name?.toLowerCase() !== 'wait') continue
    const seconds = quoted ?? plain ?? ''
    return /^\d+$/.test(seconds) ? Math.min(Number(seconds), MAX_WAIT_S) : 0
  }
  return 0
}
