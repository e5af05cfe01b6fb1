import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandFailure } from '@meadow/command'
import type { CommandContext } from '../command-context.ts'
import { EXIT_CODES, readFailure } from '../failure.ts'
import { openInBrowser } from '../output/open-in-browser.ts'

/** What the service gives a program that asks for a token: RFC 8628, 3.2. Times are in seconds. */
interface DeviceCodes {
  device_code: string
  user_code: string
  expires_in: number
  interval?: number
}

/** How many seconds a program waits between two questions unless the service says otherwise, and how many more when it has to slow down. */
const INTERVAL = 5

const DEFAULT_TIMEOUT = 120

/**
 * Gets an API token that a person lets this program fetch (RFC 8628): shows a code and the page on which they confirm
 * it, and waits. The token is on no screen. The page is that of the address that the user named, whatever the service
 * says.
 */
export async function fetchTokenByCode(url: string, context: CommandContext): Promise<string> {
  const { signal, stderr, output } = context
  const codes = await readCodes(url, context)
  const deadline = performance.now() + codes.expires_in * 1000
  const page = `${url}/device?code=${codes.user_code}`
  stderr.write(`Open ${page} in a browser, compare the code, and confirm it: ${codes.user_code}\n`)
  if (hasDesktop(context)) await openInBrowser(page, output)
  let seconds = codes.interval ?? INTERVAL
  while (performance.now() < deadline) {
    await sleep(seconds * 1000, undefined, { signal })
    const answer = await ask(url, codes.device_code, context)
    if ('token' in answer) return answer.token
    if (answer.error === 'slow_down') seconds += INTERVAL
    else if (answer.error !== 'authorization_pending') throw createFailure(answer.error)
  }
  throw createFailure('expired_token')
}

async function readCodes(url: string, context: CommandContext): Promise<DeviceCodes> {
  const form = { client_id: 'meadow login', device_name: hostname() }
  const address = `${url}/oauth/device_authorization`
  const response = await post(address, form, context)
  if (!response) throw new CommandFailure(`${url} cannot be reached: check the address and the network.`)
  const target = response.headers.get('location')
  if (response.status >= 300 && response.status < 400 && target)
    throw new CommandFailure(`${url} leads to ${new URL(target, address).origin}: log in to that address.`)
  if (response.status === 404)
    throw new CommandFailure(
      `${url} does not let programs log in by a code: update the service, or use --token-stdin.`,
    )
  if (!response.ok) throw await readFailure(response, address)
  const codes = (await response.json().catch(() => undefined)) as DeviceCodes | undefined
  // It is printed, and becomes a part of an address.
  const isUsable = codes?.device_code && /^[\w-]{1,40}$/.test(codes.user_code ?? '')
  if (!isUsable || !(codes.expires_in > 0) || !((codes.interval ?? INTERVAL) > 0))
    throw new CommandFailure(`${url} answers with something else than codes: is this a Meadow service?`)
  return codes
}

/** Asks for the token. A service that does not answer now counts as one that is asked too often. */
async function ask(
  url: string,
  code: string,
  context: CommandContext,
): Promise<{ token: string } | { error: string }> {
  const form = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: code }
  const response = await post(`${url}/oauth/token`, form, context)
  if (!response || response.status === 429 || response.status >= 500) return { error: 'slow_down' }
  const body = (await response.json().catch(() => undefined)) as Record<string, unknown> | undefined
  if (response.ok && typeof body?.access_token === 'string') return { token: body.access_token }
  return { error: String(body?.error) }
}

/** Resolves with undefined when the service cannot be reached. */
async function post(
  address: string,
  form: Record<string, string>,
  { options, signal }: CommandContext,
): Promise<Response | undefined> {
  const timeout = AbortSignal.timeout((options.timeout ?? DEFAULT_TIMEOUT) * 1000)
  try {
    return await fetch(address, {
      method: 'POST',
      body: new URLSearchParams(form),
      signal: AbortSignal.any([signal, timeout]),
      // The code is for the service that the user named.
      redirect: 'manual',
    })
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

const SENTENCES: Record<string, string> = {
  access_denied: 'The login was refused, or whoever confirmed it may not create such a token.',
  expired_token: 'Nobody confirmed the code in time: log in again.',
  invalid_grant:
    'The service does not know the code any more: log in again. If it made a token whose answer was lost, revoke that in the settings of the team.',
}

const createFailure = (error: string) =>
  new CommandFailure(SENTENCES[error] ?? 'The service rejects the login: log in again.', {
    exitCode: EXIT_CODES.notAllowed,
  })

/** Whether the user sits at this computer, in front of a desktop with a browser. */
const hasDesktop = ({ stderr, platform, env }: CommandContext): boolean =>
  stderr.isTTY === true &&
  !env.SSH_CONNECTION &&
  (platform === 'darwin' || platform === 'win32' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY))
