import { AsyncLocalStorage } from 'node:async_hooks'
import type { AuditActorKind } from '@meadow/contract/terms'

/** Who does something. */
export interface AuditActor {
  kind: AuditActorKind
  /** The id of the user or of the token. */
  id?: string | undefined
  /** The e-mail address of the user, the name of the token, or the operator's user name on their machine. */
  name?: string | undefined
}

/** Who does something, and from where. */
export interface Origin {
  actor: AuditActor
  /** The network address of the client; behind a trusted proxy, the address that the proxy names. */
  address?: string | undefined
  /** The id of the session, not its token. */
  session?: string | undefined
  /** The public id of the token. */
  token?: string | undefined
  /** The id of the request. */
  request?: string | undefined
  /** The words of the operator's command, without its arguments, which may be secrets. */
  command?: string | undefined
}

/** The actor who is not signed in. */
export const ANONYMOUS: AuditActor = { kind: 'anonymous' }

const origins = new AsyncLocalStorage<Origin>()

/** The origin of what the service does by itself. */
const BY_ITSELF: Origin = { actor: { kind: 'service' } }

/** Runs `work` so that the events that it records come from `origin`, unless they say otherwise. */
export const runFrom = <T>(origin: Origin, work: () => T): T => origins.run(origin, work)

/** Runs `work` as what the service does by itself. */
export const runByItself = <T>(work: () => T): T => origins.run(BY_ITSELF, work)

/** Returns the origin of what runs now. */
export const currentOrigin = (): Origin => origins.getStore() ?? BY_ITSELF
