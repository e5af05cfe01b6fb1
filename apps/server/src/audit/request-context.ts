import { AsyncLocalStorage } from 'node:async_hooks'
import type { AuditActorKind } from '@meadow/contract/terms'

/** A person, a token, the operator or the service. */
export interface AuditActor {
  kind: AuditActorKind
  /** The id of the user or of the token. */
  id?: string | undefined
  /** The e-mail address of the user, the name of the token, or the operator's user name on their machine. */
  name?: string | undefined
}

/** Says who does something, and from where. */
export interface RequestContext {
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

const contexts = new AsyncLocalStorage<RequestContext>()

/** The context of what the service does by itself. */
const BY_ITSELF: RequestContext = { actor: { kind: 'service' } }

/** Runs `work` so that the events that it records come from `context`, unless they say otherwise. */
export const runIn = <T>(context: RequestContext, work: () => T): T => contexts.run(context, work)

/** Runs `work` as what the service does by itself. */
export const runByItself = <T>(work: () => T): T => contexts.run(BY_ITSELF, work)

/** Returns the context of what runs now. */
export const currentContext = (): RequestContext => contexts.getStore() ?? BY_ITSELF
