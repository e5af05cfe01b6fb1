/** Any error of this package. The message is a sentence to show to the user. */
export class MeadowError extends Error {
  override readonly name: string = 'MeadowError'
}

/** There is no answer: the service cannot be reached, or the connection broke. `cause` is the error of the platform. */
export class ConnectionFailed extends MeadowError {
  override readonly name = 'ConnectionFailed'
}

/** The deadline of a call passed. A signal of the caller has its own reason instead. */
export class TimedOut extends MeadowError {
  override readonly name = 'TimedOut'
}

/** An answer that is not one of the API: something else answers at this address. */
export class BadAnswer extends MeadowError {
  override readonly name = 'BadAnswer'
}

/** A file that is not the one that was asked for: its digest differs, or the document was edited meanwhile. */
export class FileChanged extends MeadowError {
  override readonly name = 'FileChanged'
}

/** Documents that a token limited to folders does not read any more. Whether they still exist cannot be known. */
export class OutOfReach extends MeadowError {
  override readonly name = 'OutOfReach'
  /** The number of documents. */
  readonly count: number

  constructor(count: number, example: string) {
    super(
      `The token is limited to folders, and ${count === 1 ? 'a document' : `${count} documents`} of the state ${count === 1 ? 'is' : 'are'} in none of them, ` +
        `such as ${JSON.stringify(example)}. They may still exist: use a token that reads them, or allow a narrower one, to which they are gone.`,
    )
    this.count = count
  }
}

/** The facts that an answer contains about an error. */
export interface ApiErrorFacts {
  status: number
  /** The sentence of the service. */
  message: string
  /** The address of the request without its query: `https://meadow.example.org/api/v1/team`. */
  url: string
  /** Names the request in the log of the service. */
  requestId?: string | undefined
  /** The number of seconds after which to ask again, where the service gives it. */
  retryAfterSeconds?: number | undefined
}

/** An answer other than the one asked for. Each status of the API has a class of its own, such as `NotFound`. */
export class ApiError extends MeadowError {
  override readonly name: string = 'ApiError'
  readonly status: number
  readonly url: string
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor({ status, message, url, requestId, retryAfterSeconds }: ApiErrorFacts) {
    super(message)
    this.status = status
    this.url = url
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
  }
}
