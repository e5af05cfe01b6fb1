import type { IncomingHttpHeaders } from 'node:http'
import { createNetworkMatcher } from '../../platform/networks.ts'
import { ONE_CLIENT } from './exposure.ts'

/**
 * Calls `warn` once, at the first request with `X-Forwarded-For` or `Forwarded` from a sender that is not a trusted
 * proxy. The header is ignored: the request counts as coming from its sender.
 */
export function createProxyWarning(
  trustedProxies: readonly string[],
  warn: (sentence: string) => void,
): (headers: IncomingHttpHeaders, sender: string | undefined) => void {
  const isTrusted = createNetworkMatcher(trustedProxies)
  let isDone = false
  return (headers, sender) => {
    if (isDone || sender === undefined) return
    const header = ['X-Forwarded-For', 'Forwarded'].find((name) => headers[name.toLowerCase()] !== undefined)
    if (header === undefined || isTrusted(sender)) return
    isDone = true
    warn(
      `A request from ${sender} carries ${header}, and that address is not among MEADOW_TRUSTED_PROXIES, so the header ` +
        `is ignored. If it is your proxy, add it to MEADOW_TRUSTED_PROXIES; until then ${ONE_CLIENT} ` +
        'If it is not, there is nothing to do. This is logged once.',
    )
  }
}
