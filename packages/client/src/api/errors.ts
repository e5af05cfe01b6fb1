/** What an answer says of an error. */
export interface ApiErrorFacts {
  status: number
  /** The sentence of the service. */
  message: string
  /** Without its query: `https://meadow.example.org/api/v1/team`. */
  url: string
  /** Names the request in the log of the service. */
  requestId?: string | undefined
  /** When to ask again, where the service says so. */
  retryAfterSeconds?: number | undefined
}

/** An answer other than the one asked for. Each status of the API has a class of its own, such as `NotFound`. */
export class ApiError extends Error {
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
