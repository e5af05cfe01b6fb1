import Type, { type Static, type TProperties } from 'typebox'
import { DataValue, JsonNumber } from '../data-tree.ts'
import { SolutionId } from '../ids.ts'
import { UNITS } from '../units.ts'
import { DocumentParams } from './app-documents.ts'
import { appEndpoint } from './app-endpoint.ts'
import { SolveState } from './app-folders.ts'
import { Bytes } from './bodies.ts'

const field = <const Kind extends string, Properties extends TProperties>(
  kind: Kind,
  properties: Properties,
) => Type.Object({ kind: Type.Literal(kind), ...properties })

/** How the value of an input is chosen. */
export const PlayerField = Type.Union([
  field('slider', {
    minimum: Type.Number(),
    maximum: Type.Number(),
    interval: Type.Enum(['real', 'integer', 'odd', 'even']),
    /** The number of decimal places. */
    decimals: Type.Integer(),
    step: Type.Number(),
  }),
  field('number', {
    isInteger: Type.Boolean(),
    minimum: Type.Optional(Type.Number()),
    maximum: Type.Optional(Type.Number()),
  }),
  field('toggle', {}),
  /** A choice of items, whose value is the list of their indices. */
  field('choice', { items: Type.Array(Type.String()), isMultiple: Type.Boolean() }),
  /** A colour, as `#rrggbbaa`. */
  field('colour', {}),
  field('text', { isMultiline: Type.Boolean() }),
  /** A button, whose value is true while it is pressed. */
  field('button', {}),
  /** A value that cannot be changed in the player; a sentence says why. */
  field('fixed', { reason: Type.String() }),
])
export type PlayerField = Static<typeof PlayerField>

/** A number, a switch, a text or colour, or the indices of chosen items. */
export const PlayerValue = Type.Union([JsonNumber, Type.Boolean(), Type.String(), Type.Array(Type.Integer())])

export const PlayerResult = Type.Object({
  label: Type.String(),
  /** Null while there is no solution, or where it has no values for this result that can be read. */
  values: Type.Union([
    Type.Object({
      branches: Type.Integer(),
      /** The number of values in all branches, nulls included. */
      count: Type.Integer(),
      /** The first `RESULT_VALUES`, without geometry and references. */
      first: Type.Array(Type.Union([DataValue, Type.Null()])),
    }),
    Type.Null(),
  ]),
})
export type PlayerResult = Static<typeof PlayerResult>

/**
 * All that a visitor of a document reads that is shared as its player: the ports that are pinned, under the names that the
 * player shows, and nothing of what is between them.
 */
export const readPlayer = appEndpoint({
  method: 'GET',
  path: '/documents/:documentId/player',
  needs: 'player',
  params: DocumentParams,
  response: Type.Object({
    name: Type.String(),
    solve: SolveState,
    inputs: Type.Array(
      Type.Object({
        label: Type.String(),
        field: PlayerField,
        /** The value in the document. */
        value: PlayerValue,
      }),
    ),
    results: Type.Array(PlayerResult),
    /** The last solution, even while a newer one is being made or after a newer solve failed. */
    solution: Type.Union([
      Type.Object({
        id: SolutionId,
        /** Whether it was computed from the values that the inputs have. */
        isCurrent: Type.Boolean(),
        /** Whether all nodes were solved. */
        isComplete: Type.Boolean(),
        /** What differs when other geometry is to be seen; null when there is nothing to draw. */
        geometry: Type.Union([Type.String(), Type.Null()]),
        /** The unit of its lengths. */
        units: Type.Enum(UNITS),
      }),
      Type.Null(),
    ]),
  }),
})

/**
 * The geometry of a solution for a first view, in a tenth of the bytes of the scene. `compact-scene.ts` defines the
 * layout of the body; `readCompactScene` parses it.
 */
export const readPlayerScene = appEndpoint({
  method: 'GET',
  path: '/documents/:documentId/solutions/:solutionId/player-scene',
  needs: 'player',
  params: Type.Object({ documentId: Type.String(), solutionId: Type.String() }),
  response: Bytes,
  errors: ['solution_not_found', 'geometry_not_readable', 'solution_too_large'],
})
