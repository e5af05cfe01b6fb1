import Type, { type Static } from 'typebox'
import { FolderReference } from '../folders.ts'
import { type MirrorId as MirrorIdType, Timestamp } from '../ids.ts'
import { appEndpoint } from './app-endpoint.ts'
import { TeamParams } from './team-settings.ts'
import { MIRROR_OUTCOMES } from './terms.ts'

const MirrorId = Type.Unsafe<MirrorIdType>({ type: 'string' })

/**
 * How a run ended. `partial`: some files could not be read, or were kept since people edited their documents. `failed`:
 * the run could not be done, such as when the folder is not there. `stopped`: it was interrupted.
 */
export const MirrorRunState = Type.Enum(['running', 'done', 'partial', 'failed', 'stopped'])
export type MirrorRunState = Static<typeof MirrorRunState>

const OrNull = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** The numbers of files by outcome. */
export const MirrorCounts = Type.Record(Type.Enum([...MIRROR_OUTCOMES, 'unchanged']), Type.Integer())
export type MirrorCounts = Static<typeof MirrorCounts>

export const MirrorRun = Type.Object({
  state: MirrorRunState,
  startedAt: Timestamp,
  /** Null while the mirror runs. */
  endedAt: OrNull(Timestamp),
  /** Why the run failed or was stopped: a sentence. */
  reason: OrNull(Type.String()),
  /** Null while the mirror runs. */
  counts: OrNull(MirrorCounts),
})
export type MirrorRun = Static<typeof MirrorRun>

export const MirrorChange = Type.Object({
  outcome: Type.Enum([...MIRROR_OUTCOMES]),
  path: Type.String({ description: 'Relative to the folder that is mirrored.' }),
  /** The path at which the file was before it was moved. */
  from: OrNull(Type.String()),
  /** The document or file that belongs to the mirrored file. `isThere` is false when it is in the bin or deleted. */
  item: OrNull(
    Type.Object({ kind: Type.Enum(['document', 'file']), id: Type.String(), isThere: Type.Boolean() }),
  ),
  /** The cause of a problem without a full stop, such as `permission denied`. */
  reason: OrNull(Type.String()),
})
export type MirrorChange = Static<typeof MirrorChange>

export const Mirror = Type.Object({
  id: MirrorId,
  name: Type.String(),
  path: Type.String({ description: 'The folder on the disk of the machine that runs the mirror.' }),
  /** The folder of the team that receives the contents. Null: it was deleted, or is in the bin. */
  folder: OrNull(FolderReference),
  /** What happens to the documents and files whose mirrored file was deleted. */
  gone: Type.Enum(['keep', 'bin']),
  createdAt: Timestamp,
  /** Whether a process follows the changes in the folder at the moment. */
  isWatched: Type.Boolean(),
  /** The time at which the last run ended that looked at the whole folder. */
  completedAt: OrNull(Timestamp),
  lastRun: OrNull(MirrorRun),
})
export type Mirror = Static<typeof Mirror>

/** The folders on the disk that are mirrored into the team, by name, each with its last run. */
export const listMirrors = appEndpoint({
  method: 'GET',
  path: '/teams/:teamId/mirrors',
  needs: 'member',
  params: TeamParams,
  response: Type.Object({ mirrors: Type.Array(Mirror) }),
})

/** The last runs of a mirror with what changed and what failed, the newest first. */
export const listMirrorRuns = appEndpoint({
  method: 'GET',
  path: '/teams/:teamId/mirrors/:mirrorId/runs',
  needs: 'member',
  params: Type.Object({ teamId: Type.String(), mirrorId: Type.String() }),
  response: Type.Object({
    runs: Type.Array(
      Type.Object({
        ...MirrorRun.properties,
        changes: Type.Array(MirrorChange),
        /** How many changes were not recorded, because there were too many. */
        omitted: Type.Integer(),
      }),
    ),
  }),
  errors: ['mirror_not_found'],
})
