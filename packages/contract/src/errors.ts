/**
 * All errors of the service, by code. The status is part of the contract; the sentence may be reworded.
 * The code is for logs, metrics and tests and never reaches the wire (contract, part 7).
 */
export const API_ERRORS = {
  token_missing: {
    status: 401,
    sentence: 'This request needs an API token: send the header "Authorization: Bearer <API_TOKEN>".',
  },
  token_not_valid: { status: 401, sentence: 'That API token is unknown, expired or revoked.' },
  token_of_another_team: { status: 403, sentence: 'That API token belongs to a different team.' },
  address_not_allowed: {
    status: 403,
    sentence:
      'That API token works from certain network addresses only, and this request came from another one.',
  },
  scope_missing: { status: 403, sentence: 'That API token lacks the scope this endpoint needs.' },
  token_outside_the_api: {
    status: 403,
    sentence: 'API tokens work under /api/v1 only; this address refuses them.',
  },
  endpoint_not_found: { status: 404, sentence: 'There is no such endpoint.' },
  page_not_found: { status: 404, sentence: 'There is nothing at this address.' },
  folder_not_found: { status: 404, sentence: 'Could not find that folder.' },
  document_not_found: { status: 404, sentence: 'Could not find that document.' },
  method_not_allowed: { status: 405, sentence: 'This API is read-only: use GET or HEAD.' },
  solution_format_not_accepted: { status: 400, sentence: 'The format must be json or bimz, without a dot.' },
  export_format_not_accepted: {
    status: 400,
    sentence: 'The format must be .gh or .3dm, with the leading dot.',
  },
  modeler_version_not_accepted: { status: 400, sentence: 'The modelerVersion must be 7, 8 or 9.' },
  modeler_version_not_applicable: {
    status: 400,
    sentence: 'A modelerVersion applies to format=.3dm only; leave it out for .gh.',
  },
  never_solved: {
    status: 409,
    sentence: 'This document has never been solved. Open it in the editor to solve it.',
  },
  solve_running: {
    status: 202,
    sentence: 'A solve of this document is still running. Ask again in a moment.',
  },
  solve_failed: { status: 502, sentence: 'The most recent solve of this document failed.' },
  model_missing: {
    status: 500,
    sentence:
      'The model file of this solution could not be written. Solve the document again, or export it as .gh.',
  },
  export_not_made: { status: 500, sentence: 'This export could not be made.' },
  export_not_in_time: {
    status: 500,
    sentence:
      'Much is being exported right now, and this export waited in vain for its turn. Ask again shortly.',
  },
  link_expired: {
    status: 410,
    sentence: 'This link has expired: a link works for one hour. Ask for a new export.',
  },
  link_ended: {
    status: 410,
    sentence:
      'This link has ended: the API token that asked for it was revoked, or the document was deleted. ' +
      'Ask for a new export.',
  },
  too_many_requests: { status: 429, sentence: 'Too many requests with this API token. Try again later.' },
  share_exceeded: {
    status: 429,
    sentence:
      'Too many requests of this caller or its team are under way. Wait until some have finished, and try again.',
  },
  overloaded: { status: 503, sentence: 'The service has too much to do at the moment. Try again shortly.' },
  request_not_readable: { status: 400, sentence: 'The request could not be read as HTTP.' },
  address_not_readable: {
    status: 400,
    sentence:
      'The address must begin with a slash, and blanks, control characters and characters beyond ASCII must be ' +
      'percent-encoded.',
  },
  host_not_valid: {
    status: 400,
    sentence: 'The Host header must be there once: a host name or an IP address, with or without a port.',
  },
  request_not_acceptable: { status: 400, sentence: 'The request holds something that is not accepted here.' },
  precondition_failed: { status: 412, sentence: 'The file is not the one that the conditions name.' },
  body_too_large: { status: 413, sentence: 'The body of the request is too large.' },
  media_type_not_accepted: { status: 415, sentence: 'A body of that Content-Type is not accepted here.' },
  range_not_satisfiable: { status: 416, sentence: 'The file ends before the range that was asked for.' },
  request_timed_out: { status: 408, sentence: 'The request took too long to arrive.' },
  headers_too_large: { status: 431, sentence: 'The address or the headers of the request are too long.' },
  internal: { status: 500, sentence: 'Something went wrong on our side.' },
  team_without_root: { status: 500, sentence: 'This team is not set up correctly.' },
  database_unavailable: {
    status: 503,
    sentence: 'The database cannot be reached at the moment. Try again shortly.',
  },
  stopping: { status: 503, sentence: 'The service is stopping. Try again in a moment.' },
} as const satisfies Record<string, { status: number; sentence: string }>

export type ApiErrorCode = keyof typeof API_ERRORS

/** Returns the sentence of `scope_missing` for an endpoint: it names the scope that its token needs. */
export const missingScopeSentence = (scope: string): string =>
  `That API token lacks the scope ${scope}, which this endpoint needs.`

/** Returns the sentence of `address_not_allowed`: it names the address, as the server sees it. */
export const addressNotAllowedSentence = (address: string): string =>
  `That API token works from certain network addresses only, and not from ${address || 'one that is not known'}.`

/** How clients treat a status. All clients of this project behave alike. */
export interface StatusError {
  /** The class of the error in the SDKs. */
  readonly name: string
  /** Whether a client repeats the request by itself, after the seconds in `Retry-After`. */
  readonly mayRetry: boolean
  /** The exit code of the command: 1 other, 2 usage, 3 not allowed, 4 not found, 5 not ready, 6 solve failed. */
  readonly exitCode: 1 | 2 | 3 | 4 | 5 | 6
  /** What the caller should do. Names in backquotes are code. */
  readonly advice: string
}

/** The errors of clients by status. A status that is not here is an error without a class of its own. */
export const STATUS_ERRORS = {
  202: {
    name: 'Solving',
    mayRetry: false,
    exitCode: 5,
    advice:
      'A solve is running. Repeat the request after the seconds in `Retry-After`, or send `Prefer: wait=30`. Many clients count 202 as success: compare the status itself.',
  },
  400: {
    name: 'BadRequest',
    mayRetry: false,
    exitCode: 2,
    advice: 'Correct the parameter that the sentence names.',
  },
  401: {
    name: 'Unauthenticated',
    mayRetry: false,
    exitCode: 3,
    advice: 'Send a valid token. This one is missing, unknown, expired or revoked.',
  },
  403: {
    name: 'Forbidden',
    mayRetry: false,
    exitCode: 3,
    advice:
      'Use a token of this team, with the scope that the endpoint needs, from an address that it works from.',
  },
  404: {
    name: 'NotFound',
    mayRetry: false,
    exitCode: 4,
    advice: 'The folder or document does not exist, or belongs to another team.',
  },
  405: {
    name: 'MethodNotAllowed',
    mayRetry: false,
    exitCode: 2,
    advice: 'Use GET or HEAD: the API is read-only.',
  },
  409: {
    name: 'NotSolved',
    mayRetry: false,
    exitCode: 5,
    advice:
      'The document has never been solved. Open it in the web app, or have the operator run `meadow-server solve`.',
  },
  410: {
    name: 'LinkEnded',
    mayRetry: false,
    exitCode: 1,
    advice: 'The download link works no longer. Ask for the export again.',
  },
  429: {
    name: 'TooManyRequests',
    mayRetry: true,
    exitCode: 5,
    advice:
      'You or your team have too many requests under way. Repeat the request after the seconds in `Retry-After`.',
  },
  500: {
    name: 'ServiceFault',
    mayRetry: false,
    exitCode: 1,
    advice: 'Something failed on the side of the service. Tell its operator the `X-Request-Id`.',
  },
  502: {
    name: 'SolveFailed',
    mayRetry: false,
    exitCode: 6,
    advice: 'The most recent solve failed. The document is fine: its page in the web app says why.',
  },
  503: {
    name: 'Unavailable',
    mayRetry: true,
    exitCode: 5,
    advice:
      'The service is busy, stopping, or without its database. Repeat the request after the seconds in `Retry-After`.',
  },
} as const satisfies Record<number, StatusError>
