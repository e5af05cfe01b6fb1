import Type, { type Static } from 'typebox'
import { DocumentId, SolutionId, Timestamp } from '../ids.ts'
import { UNITS } from '../units.ts'
import { type AppResponse, appEndpoint } from './app-endpoint.ts'
import { After, Next } from './bodies.ts'
import { Membership } from './people.ts'
import { PublicPolicy } from './public-policy.ts'
import { SOLVE_CAUSES } from './terms.ts'
import { VersionPolicy } from './version-policy.ts'

export const TeamParams = Type.Object({ teamId: Type.String() })

const Limit = Type.Union([Type.Integer(), Type.Null()])

export const TeamSettings = Type.Object({
  ...Membership.properties,
  creditTenths: Type.Integer({ description: 'What is left, in tenths of a credit.' }),
  stored: Type.Object(
    { bytes: Type.Integer(), documents: Type.Integer() },
    {
      description:
        'What the team stores: the original files and the contents of its documents, the bin included.',
    },
  ),
  limits: Type.Object(
    { bytes: Limit, documents: Limit },
    { description: 'How much of that it may store, as the operator set it; null for no limit.' },
  ),
  units: Type.Enum(UNITS),
  requiresSecondFactor: Type.Boolean({
    description: 'Members without a second factor see nothing of the team.',
  }),
  publicDocuments: PublicPolicy,
  versionPolicy: VersionPolicy,
  history: Type.Object(
    { versions: Type.Integer(), bytes: Type.Integer() },
    { description: 'What the versions of its documents take. It does not count towards the limits.' },
  ),
  createdAt: Timestamp,
})
export type TeamSettings = Static<typeof TeamSettings>

/** A team and how it is set up. */
export const readTeamSettings = appEndpoint({
  method: 'GET',
  path: '/teams/:teamId',
  needs: 'viewer',
  params: TeamParams,
  response: Type.Object({ team: TeamSettings }),
})

/** Change the name, the unit of lengths, or whether documents may be public. The host name is the operator’s to set. */
export const changeTeamSettings = appEndpoint({
  method: 'PATCH',
  path: '/teams/:teamId',
  needs: 'owner',
  params: TeamParams,
  body: Type.Object({
    name: Type.Optional(Type.String()),
    /** The unit applies from the next solve of a document on. */
    units: Type.Optional(Type.Enum(UNITS)),
    /** Public documents that are not allowed any more become private at once. */
    publicDocuments: Type.Optional(Type.Partial(PublicPolicy)),
    /** Versions that are not kept any more are removed within the hour. */
    versionPolicy: Type.Optional(Type.Partial(VersionPolicy)),
    /** A request with a host name is always rejected with 403: it is declared so that it is not silently ignored. */
    hostName: Type.Optional(Type.Unknown()),
  }),
  response: Type.Object({ team: TeamSettings }),
  errors: ['name_not_acceptable', 'host_name_of_operator', 'version_policy_not_acceptable'],
})

/**
 * Require a second factor of all members, or no longer. The caller must have a second factor to require it. API tokens
 * stay valid, since the programs that use them have to keep working.
 */
export const changeTeamSecurity = appEndpoint({
  method: 'PATCH',
  path: '/teams/:teamId/security',
  needs: 'owner',
  needsFreshSignIn: true,
  params: TeamParams,
  body: Type.Object({ requiresSecondFactor: Type.Boolean() }),
  response: Type.Object({ team: TeamSettings }),
  errors: ['second_factor_missing'],
})

/** The reason of a change of a team's credits. */
export const CreditEntry = Type.Object({
  at: Timestamp,
  /** The change in tenths of a credit; below zero where credits were spent. */
  tenths: Type.Integer(),
  /** The solve that the credits were spent on; null if credits were added. */
  solve: Type.Union([
    Type.Object({
      solutionId: SolutionId,
      state: Type.Enum(['solved', 'failed']),
      /** Null for solves that were requested before this was recorded. */
      cause: Type.Union([Type.Enum([...SOLVE_CAUSES]), Type.Null()]),
      durationMs: Type.Integer(),
      documentId: DocumentId,
      documentName: Type.String({
        description: 'As it was called then; empty when it was deleted permanently.',
      }),
      /** False when the document is in the bin or deleted. */
      isThere: Type.Boolean(),
    }),
    Type.Null(),
  ]),
})
export type CreditEntry = Static<typeof CreditEntry>

/** The credits that are left, and the changes of them: the newest first, 50 at a time. */
export const listCredits = appEndpoint({
  method: 'GET',
  path: '/teams/:teamId/credits',
  needs: 'viewer',
  params: TeamParams,
  query: Type.Object({ after: After }),
  response: Type.Object({
    /** The credits that are left, in tenths of a credit. */
    left: Type.Integer(),
    /** The credits that were spent since the first of the month (UTC), in tenths of a credit. */
    spentThisMonth: Type.Integer(),
    entries: Type.Array(CreditEntry),
    next: Next,
  }),
})

/** A calendar day, such as `2026-03-29`. */
const Day = Type.String()

/** Sums in tenths of a credit. */
const CreditUse = {
  tenths: Type.Integer(),
  /**
   * What solves spent that somebody asked for; `automatic` is the same of automatic ones. The rest was spent by solves
   * whose cause is not recorded.
   */
  asked: Type.Integer(),
  automatic: Type.Integer(),
  /** The number of solves that spent credits, failed ones included. */
  solves: Type.Integer(),
}

export const DocumentCreditUse = Type.Object({
  documentId: DocumentId,
  documentName: Type.String({ description: 'Empty when it was deleted permanently.' }),
  /** False when the document is in the bin or deleted. */
  isThere: Type.Boolean(),
  ...CreditUse,
})
export type DocumentCreditUse = Static<typeof DocumentCreditUse>

/** The maximum number of documents that are listed; the ones that spent most are listed. */
export const CREDIT_DOCUMENTS = 200
/** The number of documents whose use is listed by day. */
export const CREDIT_DAY_DOCUMENTS = 7
/** How many days before today a forecast looks at. */
export const CREDIT_FORECAST_DAYS = 56

/** What spent the credits of the last days, by day and by document. */
export const readCreditUse = appEndpoint({
  method: 'GET',
  path: '/teams/:teamId/credits/use',
  needs: 'viewer',
  params: TeamParams,
  query: Type.Object({
    /** Today and the days before it; 30 when left out. */
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: 90 })),
    /** The time zone whose days are meant, by its IANA name; UTC when left out. */
    zone: Type.Optional(Type.String({ maxLength: 64 })),
  }),
  response: Type.Object({
    zone: Type.String(),
    /** The credits that are left, in tenths of a credit. `byDocument` and `before` have the same unit. */
    left: Type.Integer(),
    ...CreditUse,
    /** Every day, the oldest first; the last is today. */
    days: Type.Array(
      Type.Object({
        day: Day,
        ...CreditUse,
        /** What the first of `documents` spent on this day, in their order. The other documents spent the rest. */
        byDocument: Type.Array(Type.Integer()),
      }),
    ),
    /** The documents that spent credits, the ones that spent most first. */
    documents: Type.Array(DocumentCreditUse),
    /**
     * The number of documents that spent credits. If `documents` has fewer, the ones that spent least are left out of
     * it.
     */
    documentCount: Type.Integer(),
    /**
     * What was spent on each of the whole days before today, the oldest first, from the day of the first solve on, or
     * of the last 56 days.
     */
    before: Type.Array(Type.Integer()),
  }),
  errors: ['time_zone_unknown'],
})
export type TeamCreditUse = AppResponse<typeof readCreditUse>
