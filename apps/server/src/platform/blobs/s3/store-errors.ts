import { findSystemReason, OBJECT_STORE_UNAVAILABLE } from '../../system-errors.ts'

/**
 * The object store refused a request, and would again. The message is a sentence for the operator, without addresses.
 */
export class ObjectStoreError extends Error {
  override readonly name = 'ObjectStoreError'
  readonly status: number
  /** The reason that the store gave, such as `AccessDenied`; empty when it gave none. */
  readonly reason: string

  constructor(status: number, reason: string, message = `The object store refused it: ${reason || status}.`) {
    super(message)
    this.status = status
    this.reason = reason
  }
}

/** The object store could not be used for as long as it was tried; later it may. `findUnavailable` knows its code. */
export class ObjectStoreUnavailableError extends Error {
  override readonly name = 'ObjectStoreUnavailableError'
  readonly code = OBJECT_STORE_UNAVAILABLE

  constructor(cause: unknown) {
    super(`The object store cannot be reached: ${describe(cause)}.`, { cause })
  }
}

function describe(cause: unknown): string {
  if (cause instanceof ObjectStoreError) return `it answers ${cause.status} ${cause.reason}`.trim()
  return findSystemReason(cause) ?? 'the connection was lost'
}

const REMEDIES: Record<string, string> = {
  AccessDenied:
    'The object store does not allow it: these keys have to be allowed to list the bucket, and to get, put and delete ' +
    'objects and parts of uploads.',
  InvalidAccessKeyId: 'The object store does not know the access key: check AWS_ACCESS_KEY_ID.',
  NoSuchBucket: 'The bucket does not exist: make it, or correct MEADOW_BLOBS.',
  SignatureDoesNotMatch:
    'The object store does not accept the signature: check AWS_SECRET_ACCESS_KEY, and the region in MEADOW_BLOBS.',
  AuthorizationHeaderMalformed: 'The object store is in another region: check the region in MEADOW_BLOBS.',
  PermanentRedirect: 'The bucket has another endpoint or region: correct MEADOW_BLOBS.',
  RequestTimeTooSkewed:
    'The clock of this machine and that of the object store are too far apart: set this one by a time server (NTP).',
  ExpiredToken: 'The keys to the object store have expired.',
}

/** Returns the error that an answer of the store stands for. */
export const explainRefusal = (status: number, reason: string): ObjectStoreError =>
  new ObjectStoreError(
    status,
    reason,
    REMEDIES[reason] ?? (status === 403 ? REMEDIES.AccessDenied : undefined),
  )
