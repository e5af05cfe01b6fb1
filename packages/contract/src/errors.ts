import type { Scope } from './scopes.ts'

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

/** The sentence of `scope_missing` for an endpoint: it names the scope that its token needs. */
export const missingScopeSentence = (scope: Scope): string =>
  `That API token lacks the scope ${scope}, which this endpoint needs.`
