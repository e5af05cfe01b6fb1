import type { GraphContent } from '@meadow/contract'
import { drawGraphThumbnail, type Thumbnail } from '@meadow/drawing/thumbnails'
import { drawModelThumbnail, ModelFault, openModelLibrary } from '@meadow/model'
import type { StoredThumbnail } from '../../content/save-thumbnail.ts'
import { openJobBlobs, serveJobs } from '../../platform/processes/job-child.ts'
import type { ThumbnailRequest } from './thumbnail-pool.ts'

/** Reading a model file takes much longer than what the solver has in memory, and is done once. */
const BUDGET_MS = 8000

/** The process of a `ThumbnailPool`. */
const blobs = (await openJobBlobs())!
const library = openModelLibrary()

serveJobs<ThumbnailRequest, StoredThumbnail>(async ({ content, model }) => {
  const bytes = 'bytes' in content ? content.bytes : await blobs.read(content.digest)
  if (!bytes) throw new Error('The content of a document is missing.')
  const graph: GraphContent = JSON.parse(new TextDecoder().decode(bytes))
  const { png, kind, isPartial } = await draw(graph, model)
  return { digest: (await blobs.put(png)).digest, kind, isPartial }
})

/** Draws the model, or the graph if there is no model, or its file is missing or damaged. */
async function draw(content: GraphContent, model: string | null): Promise<Thumbnail> {
  const file = model === null ? undefined : await blobs.read(model)
  if (!file) return drawGraphThumbnail(content)
  try {
    return await drawModelThumbnail(file, { content, library, budgetMs: BUDGET_MS })
  } catch (error) {
    if (!(error instanceof ModelFault)) throw error
    return drawGraphThumbnail(content)
  }
}
