import type { IncomingMessage } from 'node:http'
import { HttpError } from '../http-error.ts'

/**
 * Refuses what a browser sends for a page of another site, where the cookie would come along: older browsers send it
 * with whatever a form posts, and with sockets. Browsers tell where a request comes from; a program that says nothing
 * carries no cookie that it was not given.
 */
export function refuseOtherSite({ headers }: IncomingMessage, ownOrigin: string | undefined): void {
  const { origin, host, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin') throw new HttpError('request_from_another_site')
  if (origin === undefined || origin === ownOrigin) return
  // A proxy may have ended TLS, so the scheme tells nothing here.
  if (URL.parse(origin)?.host !== host?.toLowerCase()) throw new HttpError('request_from_another_site')
}
