import type { OutgoingHttpHeaders } from 'node:http'

/** What `Strict-Transport-Security` covers: nothing, the host name of a request, or also all names below it. */
export type TransportPolicy = 'off' | 'host' | 'subdomains'

export interface SecurityHeaderOptions {
  baseUrl: string | undefined
  hsts: TransportPolicy
}

/** Headers of every response of every process, by their names. */
export type SecurityHeaders = Readonly<Record<string, string>>

const YEAR_S = 365 * 24 * 3600

/** A response that is not a page runs and loads nothing, and cannot be framed, when a browser shows it by itself. */
const NOT_A_PAGE = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Creates the headers of every response. Pages and scripts replace the content security policy by their own; pages also
 * have {@link PAGE_HEADERS}. `Strict-Transport-Security` needs an https address, since a browser that has seen it opens
 * no other.
 */
export function createSecurityHeaders({ baseUrl, hsts }: SecurityHeaderOptions): SecurityHeaders {
  const isTransportSecured = hsts !== 'off' && baseUrl?.startsWith('https:') === true
  return Object.freeze({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': NOT_A_PAGE,
    ...(isTransportSecured && {
      'strict-transport-security': `max-age=${YEAR_S}${hsts === 'subdomains' ? '; includeSubDomains' : ''}`,
    }),
  })
}

/** The headers that pages have in addition to those of {@link createSecurityHeaders}. */
export const PAGE_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const

/** Formats headers as lines, for the head of a response that is written without Node's response object. */
export const headerLines = (headers: OutgoingHttpHeaders): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
