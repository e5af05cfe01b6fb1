import {
  changeView,
  createView,
  deleteView,
  listViews,
  restoreView,
  type ViewPart,
  type ViewPlace,
} from '@meadow/contract/web'
import { serveApp } from '../../http/app-api/app-route.ts'
import { readNameInput } from '../../http/app-api/read-input.ts'
import { HttpError } from '../../http/http-error.ts'
import type { ViewStore } from './views.store.ts'

export const viewRoutes = (store: ViewStore) => [
  serveApp(listViews, ({ access }) => store.list(access.document)),

  serveApp(createView, async ({ access, actor, body }) => ({
    view: await store.create({ access, actor }, readNameInput(body.name), readPlace(body.place)),
  })),

  serveApp(changeView, async ({ access, actor, params, body: { name, place } }) => ({
    view: await store.change({ access, actor }, params.viewId, {
      ...(name !== undefined && { name: readNameInput(name) }),
      ...(place !== undefined && { place: readPlace(place) }),
    }),
  })),

  serveApp(deleteView, ({ access, actor, params }) => store.delete({ access, actor }, params.viewId)),

  serveApp(restoreView, async ({ access, actor, params }) => ({
    view: await store.restore({ access, actor }, params.viewId),
  })),
]

/** How much a direction may be longer or shorter than 1. */
const TOLERANCE = 1e-6

/** Copies only what is declared, since a body may have further members. */
function readPlace(place: ViewPlace): ViewPlace {
  if (place.kind === 'graph') {
    const { kind, clusters, x, y, width, height } = place
    return { kind, clusters, x, y, width, height }
  }
  const { kind, target, direction, span, aspect, isParallel, hidden, isolated, section, colour } = place
  if (Math.abs(Math.hypot(...direction) - 1) > TOLERANCE)
    throw new HttpError('request_not_acceptable', {
      sentence: '"place.direction" in the body has to be of length 1.',
    })
  return {
    ...{ kind, target, direction, span, aspect, isParallel, colour },
    hidden: hidden.map(readPart),
    isolated: isolated?.map(readPart) ?? null,
    section: section && { axis: section.axis, offset: section.offset, isFlipped: section.isFlipped },
  }
}

const readPart = (part: ViewPart): ViewPart =>
  'path' in part
    ? {
        nodeInstanceId: part.nodeInstanceId,
        portInstanceId: part.portInstanceId,
        path: part.path,
        index: part.index,
      }
    : { nodeInstanceId: part.nodeInstanceId }
