import {
  type AppResponse,
  type EditorSolution,
  readEditorScene,
  readEditorSolution,
  readPlayer,
  readPlayerScene,
  readPortData,
} from '@meadow/contract/web'
import { readScene } from '@meadow/contract/web/terms'
import { EMPTY_SCENE, writePlayerScene } from '@meadow/drawing/scene'
import type { DocumentAccess } from '../../../access/resource-access.store.ts'
import { serveApp } from '../../../http/app-api/app-route.ts'
import { HttpError } from '../../../http/http-error.ts'
import { type BodyMaker, toStoredBody } from '../bodies/body-maker.ts'
import type { SolutionStore } from '../solutions.store.ts'
import { describeSolution } from './describe-solution.ts'
import { createPlayerReader, MAX_VALUES_BYTES, type PlayerParts } from './player-reader.ts'
import type { PortPage } from './port-pages.ts'

export interface EditorSolutionParts extends PlayerParts {
  solutions: Pick<SolutionStore, 'findExportable' | 'findSolution' | 'findState'>
  bodies: BodyMaker
}

/** Larger scenes are not read as a whole. */
const MAX_SCENE_BYTES = 256 * 2 ** 20
/** Smaller scenes are sent exactly at once. */
const MIN_SIGHT_BYTES = 256 * 2 ** 10

const DEFAULT_LIMIT = 100

export const editorSolutionRoutes = (parts: EditorSolutionParts) => {
  const { solutions, bodies, values, blobs } = parts
  const readPlayerOf = createPlayerReader(parts)
  /** Members read older solutions too; what visitors get is the last one, whichever they know. */
  const getSolution = async ({ team, documentId, role }: DocumentAccess, id: string) => {
    const last = role === null ? await solutions.findExportable(team, documentId) : undefined
    const shown = last?.state === 'solved' && last.solution.id === id ? last.solution : undefined
    const solution = role === null ? shown : await solutions.findSolution(team, documentId, id)
    if (!solution) throw new HttpError('solution_not_found')
    return solution
  }

  return [
    serveApp(readEditorSolution, async ({ access }) => {
      // One after the other: read at the same time, a solve that ends between the two is solved without a solution.
      const state = await solutions.findState(access.document)
      const last = await solutions.findExportable(access.team, access.documentId)
      const solution = last?.state === 'solved' ? await describeSolution(last.solution, blobs) : null
      return access.role === null ? forVisitors({ ...state, solution }) : { ...state, solution }
    }),

    serveApp(readPortData, async ({ access, params, query, quota }) => {
      const solution = await getSolution(access, params.solutionId)
      if (solution.values.bytes > MAX_VALUES_BYTES) throw new HttpError('solution_too_large')
      const { from = 0, limit = DEFAULT_LIMIT } = query
      const { nodeInstanceId, portInstanceId } = params
      const request = {
        ...{ kind: 'page' as const, values: solution.values },
        ...{ nodeInstanceId, portInstanceId, page: { from, limit } },
      }
      const page = await quota.waitFor(() => values.run(request, { group: String(access.team) }))
      if (!page) throw new HttpError('port_not_found')
      return page as PortPage
    }),

    serveApp(readEditorScene, async ({ access, params, query, quota }) => {
      const solution = await getSolution(access, params.solutionId)
      if (!solution.model) return EMPTY_SCENE
      const scene = await quota.waitFor(() => bodies.get(solution, 'scene'))
      if (!scene) throw new HttpError('geometry_not_readable')
      const { bytes } = scene.forms
      if (query.detail === 'sight' && bytes >= MIN_SIGHT_BYTES && bytes <= MAX_SCENE_BYTES) {
        const request = { kind: 'compactScene' as const, scene: scene.forms }
        return (await quota.waitFor(() => values.run(request, { group: String(access.team) }))) as Uint8Array
      }
      return toStoredBody(`${solution.id}.scene`, scene.forms, 'application/octet-stream')
    }),

    serveApp(readPlayer, ({ access, quota }) => readPlayerOf(access, quota)),

    serveApp(readPlayerScene, async ({ access, params, quota }) => {
      const solution = await getSolution(access, params.solutionId)
      const content = await parts.contents.find(access.document, { reserve: quota.reserve })
      if (!content) throw new HttpError('document_not_found')
      if (!solution.model) return writePlayerScene(readScene(EMPTY_SCENE.slice().buffer), new Set())
      const scene = await quota.waitFor(() => bodies.get(solution, 'scene'))
      if (!scene) throw new HttpError('geometry_not_readable')
      if (scene.forms.bytes > MAX_SCENE_BYTES) throw new HttpError('solution_too_large')
      const request = { kind: 'compactScene' as const, scene: scene.forms, content }
      return (await quota.waitFor(() => values.run(request, { group: String(access.team) }))) as Uint8Array
    }),
  ]
}

/**
 * Leaves out what the team spent, why its last solve failed, which may reveal the services that it uses, and the names
 * of its models.
 */
const forVisitors = ({ solve, solution }: AppResponse<typeof readEditorSolution>) => ({
  solve,
  reason: null,
  solution: solution && {
    ...solution,
    creditTenths: null,
    messages: solution.messages.map(withoutModelName),
  },
})

const withoutModelName = (message: EditorSolution['messages'][number]) =>
  /\.3dm/i.test(message.message)
    ? { ...message, message: 'This refers to an object of a Rhino model of the team.' }
    : message
