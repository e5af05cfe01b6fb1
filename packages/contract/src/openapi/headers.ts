import type { ContractEndpoint } from '../description/describe-contract.ts'
import type { JsonSchema } from '../description/json-schema.ts'

/** A header of a response, as OpenAPI describes it. */
interface Header {
  description: string
  schema: JsonSchema
  /** Whether every response that the header is listed for has it. */
  required?: true
}

export type Headers = Readonly<Record<string, Header>>

const text = (description: string): Header => ({ description, schema: { type: 'string' } })
const number = (description: string): Header => ({ description, schema: { type: 'integer' } })
const always = (header: Header): Header => ({ ...header, required: true })

/** Headers of every response. */
const COMMON_HEADERS: Headers = {
  'X-Request-Id': always(text('Names the request in the log of the server; your own when you send one.')),
  'Cache-Control': always(text('`private, no-cache`: ask again before you use your copy.')),
  Vary: always(text('`Authorization, Accept-Encoding`; for parts and lines of a solution also `Accept`.')),
}

/** Headers where the operator limits the requests of a token per minute. They follow version 10 of the IETF draft. */
const RATE_HEADERS: Headers = {
  'RateLimit-Policy': text(
    'Where the operator limits the requests of a token: `"token";q=600;w=60` for 600 in 60 seconds. A 304 does not count.',
  ),
  RateLimit: text('`"token";r=599;t=42`: 599 are left, and in 42 seconds all are there again.'),
}

/** Headers of responses to a token that is limited to folders. */
const REACH_HEADERS: Headers = {
  'Meadow-Reach': text(
    '`folders` when the token is limited to folders: what is outside is missing, as if it had been deleted. Absent otherwise.',
  ),
}

/** Headers of endpoints that are deprecated (RFC 9745) and end (RFC 8594). */
const DEPRECATION: Headers = { Deprecation: text('Since when, as `@` and seconds since 1970.') }
const SUNSET: Headers = { Sunset: always(text('When the endpoint ends.')) }

/** Headers of responses to a page of an origin that the token has. */
const ORIGIN_HEADERS: Headers = {
  'Access-Control-Allow-Origin': text(
    'The origin of the page, where the token has it: the page may read the response.',
  ),
  'Access-Control-Expose-Headers': text('The headers that the page may read.'),
}

const ENTITY_TAG = always(text('Strong; send it back as If-None-Match.'))
const ENCODING = text(
  '`zstd`, `br` or `gzip`, as `Accept-Encoding` asks; absent where the body is sent as it is.',
)
const RETRY_AFTER = number('Seconds after which to try again.')

/** Statuses that are decided before the token is known, so that neither its limits nor its reach apply yet. */
const BEFORE_LIMITS: ReadonlySet<number> = new Set([401, 408, 431])

const PREFERENCE_APPLIED: Headers = {
  'Preference-Applied': text('`wait=N` when the response was held back as `Prefer` asked.'),
}

/** The statuses that are possible for a request that was held back. */
const AFTER_WAITING: ReadonlySet<number> = new Set([202, 404, 409, 502])

/** The headers that responses with a certain status have in addition. */
const HEADERS_OF_STATUS: Readonly<Record<number, Headers>> = {
  200: { ETag: ENTITY_TAG, 'Content-Encoding': ENCODING },
  202: { 'Retry-After': always(RETRY_AFTER) },
  304: { ETag: ENTITY_TAG },
  401: { 'WWW-Authenticate': always(text('`Bearer`')) },
  405: { Allow: always(text('`GET, HEAD`')) },
  429: { 'Retry-After': always(RETRY_AFTER) },
  503: { 'Retry-After': always(RETRY_AFTER) },
}

/**
 * Returns the headers of an endpoint's responses with a status, apart from those of HTTP itself, such as
 * `Content-Type`.
 */
export const headersOf = ({ parameters, deprecated }: ContractEndpoint, status: number): Headers => ({
  ...HEADERS_OF_STATUS[status],
  ...(AFTER_WAITING.has(status) && parameters.some(({ name }) => name === 'Prefer') && PREFERENCE_APPLIED),
  ...COMMON_HEADERS,
  ...(!BEFORE_LIMITS.has(status) && {
    ...RATE_HEADERS,
    ...REACH_HEADERS,
    ...ORIGIN_HEADERS,
    ...(deprecated && DEPRECATION),
    ...(deprecated?.sunset && SUNSET),
  }),
})
