import Type, { type Static } from 'typebox'
import type { ViewId as ViewIdType } from '../ids.ts'
import { DocumentParams } from './app-documents.ts'
import { appEndpoint } from './app-endpoint.ts'
import { Nothing } from './bodies.ts'

const ViewId = Type.Unsafe<ViewIdType>({ type: 'string' })

/** An id of a node or port. The part that it names may be gone, and may come back: the view stays as it is. */
const PartId = Type.String({ minLength: 1, maxLength: 100, pattern: '^[!-~]+$' })
const Coordinate = Type.Number({ minimum: -1e12, maximum: 1e12 })
const Extent = Type.Number({ exclusiveMinimum: 0, maximum: 1e12 })
const Vector = Type.Tuple([Coordinate, Coordinate, Coordinate])

/** The part of a graph that a view shows. */
export const GraphPlace = Type.Object({
  kind: Type.Literal('graph'),
  /** The ids of the clusters that are open, from the outermost. Empty: the graph of the document. */
  clusters: Type.Array(PartId, { maxItems: 20 }),
  /** The middle of what is seen, and its size, in canvas units. */
  x: Coordinate,
  y: Coordinate,
  width: Extent,
  height: Extent,
})
export type GraphPlace = Static<typeof GraphPlace>

/** All values of a node, or a single one. */
export const ViewPart = Type.Union([
  Type.Object({
    nodeInstanceId: PartId,
    portInstanceId: PartId,
    /** The path of the branch, such as `{0;1}`. */
    path: Type.String({ maxLength: 200, pattern: '^\\{[0-9;]*\\}$' }),
    index: Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }),
  }),
  Type.Object({ nodeInstanceId: PartId }),
])
export type ViewPart = Static<typeof ViewPart>

/** The camera and the visible parts of the 3D model in a view. Lengths are in the units of the document; Z is up. */
export const ModelPlace = Type.Object({
  kind: Type.Literal('model'),
  /** The point that the camera looks at, and orbits. */
  target: Vector,
  /** The direction from the target to the camera, of length 1. */
  direction: Vector,
  /** Half of the visible height at the target. */
  span: Extent,
  /** The width of the visible part divided by its height. */
  aspect: Type.Number({ minimum: 0.01, maximum: 100 }),
  /** Whether the view has no perspective. */
  isParallel: Type.Boolean(),
  hidden: Type.Array(ViewPart),
  /** The parts that alone are visible. Null: all that are not hidden. */
  isolated: Type.Union([Type.Array(ViewPart), Type.Null()]),
  /** A plane that hides everything on one side of it: on the side of the smaller coordinates if `isFlipped`. */
  section: Type.Union([
    Type.Object({
      axis: Type.Enum(['x', 'y', 'z']),
      offset: Coordinate,
      isFlipped: Type.Boolean(),
    }),
    Type.Null(),
  ]),
  /** What objects are coloured by, as in addresses of the page. Null: they have their own colours. */
  colour: Type.Union([Type.String({ maxLength: 400, pattern: '^[!-~]+$' }), Type.Null()]),
})
export type ModelPlace = Static<typeof ModelPlace>

export const ViewPlace = Type.Union([GraphPlace, ModelPlace])
export type ViewPlace = Static<typeof ViewPlace>

/** A part of a document that somebody saved under a name. */
export const NamedView = Type.Object({ id: ViewId, name: Type.String(), place: ViewPlace })
export type NamedView = Static<typeof NamedView>

const ViewParams = Type.Object({ documentId: Type.String(), viewId: Type.String() })
const ViewAnswer = Type.Object({ view: NamedView })

/** The named views of a document, in the order in which they were saved. */
export const listViews = appEndpoint({
  method: 'GET',
  path: '/documents/:documentId/views',
  needs: 'visitor',
  params: DocumentParams,
  response: Type.Object({
    views: Type.Array(NamedView),
    /** The revision differs after each change, which the live connection announces. */
    revision: Type.Integer(),
  }),
})

/** Save what is visible under a name. */
export const createView = appEndpoint({
  method: 'POST',
  path: '/documents/:documentId/views',
  needs: 'member',
  params: DocumentParams,
  body: Type.Object({ name: Type.String(), place: ViewPlace }),
  response: ViewAnswer,
  status: 201,
  errors: ['name_not_acceptable', 'view_too_large', 'too_many_views'],
})

/** Rename a view, or make it show something else; what is left out stays. */
export const changeView = appEndpoint({
  method: 'PATCH',
  path: '/documents/:documentId/views/:viewId',
  needs: 'member',
  params: ViewParams,
  body: Type.Object({ name: Type.Optional(Type.String()), place: Type.Optional(ViewPlace) }),
  response: ViewAnswer,
  errors: ['view_not_found', 'name_not_acceptable', 'view_too_large'],
})

/** Delete a view. The last ones that were deleted can be restored. */
export const deleteView = appEndpoint({
  method: 'DELETE',
  path: '/documents/:documentId/views/:viewId',
  needs: 'member',
  params: ViewParams,
  response: Nothing,
  errors: ['view_not_found'],
})

/** Bring a deleted view back, with its id and its place in the list. */
export const restoreView = appEndpoint({
  method: 'POST',
  path: '/documents/:documentId/views/:viewId/restore',
  needs: 'member',
  params: ViewParams,
  response: ViewAnswer,
  errors: ['view_not_found', 'too_many_views'],
})
