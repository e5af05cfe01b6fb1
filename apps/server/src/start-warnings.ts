import { createCatalogue } from './catalogue/catalogue.ts'
import type { Config } from './config.ts'
import { listOwnHosts } from './http/connection/public-address.ts'
import { findUntrustedProxy } from './http/connection/untrusted-proxy.ts'
import type { Database } from './platform/database/database.ts'
import type { Log } from './platform/log.ts'

/** Logs what about the configuration and the teams harms others, when the service starts. */
export async function warnAtStart(config: Config, database: Database, log: Pick<Log, 'warn'>): Promise<void> {
  const proxy = findUntrustedProxy(config)
  if (proxy !== undefined) log.warn(proxy)
  const ownHosts = listOwnHosts(config)
  for (const { id, name, host } of await createCatalogue(database).listTeams()) {
    if (host === null || !ownHosts.includes(host)) continue
    log.warn(
      `The team "${name}" (${id}) has the host name "${host}", under which every team reaches this server: the tokens ` +
        'of all other teams are refused there. ' +
        `Take it away with "meadow-server team host ${id} --none".`,
    )
  }
}
