import Type, { type Static } from 'typebox'
import { AUDIT_ACTIONS, AUDIT_ACTOR_KINDS, AUDIT_FORMATS, type AuditAction } from '../audit.ts'
import { Timestamp } from '../ids.ts'
import { appEndpoint } from './app-endpoint.ts'
import { After, Bytes, Next } from './bodies.ts'
import { TeamParams } from './team-settings.ts'

const OptionalText = Type.Union([Type.String(), Type.Null()])

/** An event of the audit log. */
export const AuditEntry = Type.Object({
  /** The name of the chain: `service`, or the id of the team. With `seq`, it identifies the event. */
  chain: Type.String(),
  seq: Type.Integer(),
  at: Timestamp,
  action: Type.Enum(Object.keys(AUDIT_ACTIONS) as AuditAction[]),
  actor: Type.Object({ kind: Type.Enum([...AUDIT_ACTOR_KINDS]), id: OptionalText, name: OptionalText }),
  /** The network address of the client. */
  address: OptionalText,
  session: OptionalText,
  token: OptionalText,
  /** The id of the request, as in the log of requests. */
  request: OptionalText,
  /** The subject of the event, with the name that it had at that time. */
  thing: Type.Union([
    Type.Object({ kind: Type.String(), id: OptionalText, name: OptionalText }),
    Type.Null(),
  ]),
  details: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
  hash: Type.String(),
})
export type AuditEntry = Static<typeof AuditEntry>

const FILTER = {
  /** The id of a user or a token: what they did, and what was done to them. */
  person: Type.Optional(Type.String({ maxLength: 100 })),
  action: Type.Optional(Type.Enum(Object.keys(AUDIT_ACTIONS) as AuditAction[])),
  /** Events are listed from `since` on, and before `until`. */
  since: Type.Optional(Timestamp),
  until: Type.Optional(Timestamp),
}

/** Who did what in the team, and the sign-ins of its members: the newest first, 50 at a time. */
export const listAuditEvents = appEndpoint({
  method: 'GET',
  path: '/teams/:teamId/audit',
  needs: 'owner',
  params: TeamParams,
  query: Type.Object({ ...FILTER, after: After }),
  response: Type.Object({ events: Type.Array(AuditEntry), next: Next }),
  errors: ['audit_time_not_acceptable'],
})

/** The newest 50,000 of the same events as a file, which is recorded as an event itself. */
export const downloadAuditEvents = appEndpoint({
  method: 'POST',
  path: '/teams/:teamId/audit/downloads',
  needs: 'owner',
  params: TeamParams,
  query: Type.Object({}),
  body: Type.Object({ ...FILTER, format: Type.Enum([...AUDIT_FORMATS]) }),
  response: Bytes,
  errors: ['audit_time_not_acceptable'],
})
