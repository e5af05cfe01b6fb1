import { LIVE_PATH } from '@meadow/contract'
import { LiveError } from './live-error.ts'

/** What the server answers when it takes the session and waits for a socket. */
const UPGRADE_NEEDED = 426
const UNREACHABLE = 'The server cannot be reached, or does not answer.'

/** Why no socket can be had, which a socket itself does not tell: undefined when it should be possible. */
export async function findReason(
  address: string,
  cookie: string | undefined,
): Promise<LiveError | undefined> {
  try {
    const answer = await fetch(address + LIVE_PATH, cookie === undefined ? {} : { headers: { cookie } })
    if (answer.status === UPGRADE_NEEDED) return undefined
    const { error } = (await answer.json()) as { error: string }
    const isRefused = answer.status === 401 || answer.status === 403
    return new LiveError(isRefused ? 'not_signed_in' : 'not_reachable', error)
  } catch (cause) {
    return new LiveError('not_reachable', UNREACHABLE, { cause })
  }
}
