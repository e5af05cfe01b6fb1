import { API_PREFIX, Meadow, VERSION } from '@meadow/client'
import { CommandFailure, type Output } from '@meadow/command'
import type { GlobalOptions } from '../command-context.ts'
import { EXIT_CODES } from '../failure.ts'

/** Creates a client for the API of a service, as the options of the command determine it. */
export const createMeadow = (
  url: string,
  token: string,
  { timeout }: Pick<GlobalOptions, 'timeout'>,
  output: Pick<Output, 'trace'>,
  retries?: number,
): Meadow => {
  if (!/^[\x21-\x7e]+$/.test(token.trim()))
    throw new CommandFailure('That is no API token: it has characters that no token has.', {
      exitCode: EXIT_CODES.notAllowed,
    })
  return new Meadow({
    baseUrl: url,
    token,
    retries,
    ...(timeout !== undefined && { timeoutMs: 1000 * timeout }),
    userAgent: `meadow-cli/${VERSION}`,
    fetch: (input, init) => traceFetch(output, input, init),
  })
}

async function traceFetch(
  output: Pick<Output, 'trace'>,
  input: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
): Promise<Response> {
  const startedAt = performance.now()
  const { pathname } = new URL(String(input))
  const response = await fetch(input, init)
  // The path of a link and a query may be credentials, so they are not shown.
  const shown = pathname.includes(`${API_PREFIX}/`) ? pathname : '(download)'
  const tookMs = Math.round(performance.now() - startedAt)
  output.trace(
    `${init?.method ?? 'GET'} ${shown} ${response.status} ${tookMs} ms ${response.headers.get('x-request-id') ?? ''}`,
  )
  return response
}
