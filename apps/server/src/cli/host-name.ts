import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { InvalidArgumentError } from 'commander'
import type { Config } from '../config.ts'
import { isHostName } from '../http/connection/address.ts'
import { listOwnHosts } from '../http/connection/public-address.ts'
import { CommandFailure } from './failure.ts'

/** A host name that a team can have: in lower case, without a closing dot. */
export function readHost(text: string): string {
  const host = domainToASCII(text).replace(/\.$/, '')
  if (!isHostName(host) || isIP(host) !== 0) {
    throw new InvalidArgumentError('It must be a host name such as acme.example.org, without a port.')
  }
  return host
}

/**
 * Fails when every team reaches the server under this name. There is no way around it: all other teams would be shut
 * out, and where there is one team only, the name would change nothing.
 */
export function refuseOwnHost(host: string, config: Config): void {
  if (!listOwnHosts(config).includes(host)) return
  throw new CommandFailure(
    `Every team reaches this server under "${host}" (MEADOW_BASE_URL or MEADOW_HOST): as the host name of one team, ` +
      'it would shut out all others. Give the team another name that leads here.',
  )
}
