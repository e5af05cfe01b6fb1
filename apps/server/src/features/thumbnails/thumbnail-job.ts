import type { GraphContent } from '@meadow/contract'
import { drawGraphThumbnail, type Thumbnail } from '@meadow/drawing/thumbnails'
import { drawModelThumbnail, ModelFault, type ModelLibrary, openModelLibrary } from '@meadow/model'
import { readGraph } from '../../content/read-graph.ts'
import type { StoredThumbnail } from '../../content/save-thumbnail.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Job, JobParts } from '../../platform/processes/job-child.ts'
import type { ThumbnailRequest } from './thumbnail-pool.ts'

/** Reading a model file takes much longer than what the solver has in memory, and is done once. */
const BUDGET_MS = 8000

/** Creates the job of a `ThumbnailPool`. */
export function createJob({ blobs }: JobParts): Job<ThumbnailRequest, StoredThumbnail> {
  const parts = { blobs: blobs!, library: openModelLibrary() }
  return (request) => makeThumbnail(request, parts)
}

interface DrawingParts {
  blobs: BlobStore
  library: ModelLibrary
}

async function makeThumbnail(
  { content, model }: ThumbnailRequest,
  parts: DrawingParts,
): Promise<StoredThumbnail> {
  const graph = await readGraph(parts.blobs, content)
  const { png, kind, isPartial } = await draw(graph, model, parts)
  return { digest: (await parts.blobs.put(png)).digest, kind, isPartial }
}

/** Draws the model, or the graph if there is no model, or its file is missing or damaged. */
async function draw(
  content: GraphContent,
  model: string | null,
  { blobs, library }: DrawingParts,
): Promise<Thumbnail> {
  const file = model === null ? undefined : await blobs.read(model)
  if (!file) return drawGraphThumbnail(content)
  try {
    return await drawModelThumbnail(file, { content, library, budgetMs: BUDGET_MS })
  } catch (error) {
    if (!(error instanceof ModelFault)) throw error
    return drawGraphThumbnail(content)
  }
}
