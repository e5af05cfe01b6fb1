import { API_PREFIX } from '@meadow/client'
import { CommandFailure, type Environment, UsageFailure } from '@meadow/command'
import type { GlobalOptions } from '../command-context.ts'
import { EXIT_CODES } from '../failure.ts'
import { DEFAULT_PROFILE, type Profile, type Profiles } from './profiles.ts'

/** The service and the token to use, with the profile that they come from. */
export interface Connection {
  url: string
  token: string
  /** The profile that the token belongs to; absent when it is from the environment. */
  profile?: string
}

/** The address at which a server listens by default. */
export const DEFAULT_URL = 'http://127.0.0.1:4000'

/** Reads an address such as `https://meadow.example.org`, without the prefix of the API, a query or a closing slash. */
export function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if ((url?.protocol !== 'https:' && url?.protocol !== 'http:') || url.username || url.password) {
    throw new UsageFailure('The address of the service must be one such as https://meadow.example.org.')
  }
  const address = (url.origin + url.pathname).replace(/\/+$/, '')
  return address.endsWith(API_PREFIX) ? address.slice(0, -API_PREFIX.length) : address
}

/**
 * Chooses the service and the token. A profile that is named by `--profile` is used as it is; otherwise MEADOW_TOKEN
 * and MEADOW_URL come before the current profile. The token of a profile is sent to the service of that profile only.
 */
export function chooseConnection(
  { profiles, current = DEFAULT_PROFILE }: Profiles,
  { profile: named, url: option }: Pick<GlobalOptions, 'profile' | 'url'>,
  env: Environment,
): Connection {
  const given = option ?? (named === undefined ? env.MEADOW_URL || undefined : undefined)
  const url = given === undefined ? undefined : readUrl(given)
  const name = named ?? (env.MEADOW_PROFILE || undefined)
  if (name !== undefined && !Object.hasOwn(profiles, name)) throw missingProfile(name, profiles)
  const profile = name === undefined ? findProfile(profiles, current, url) : { name, ...profiles[name]! }
  if (named === undefined && env.MEADOW_TOKEN) {
    return { url: url ?? profile?.url ?? DEFAULT_URL, token: env.MEADOW_TOKEN }
  }
  if (!profile) {
    const where = url === undefined ? '' : ` for ${url}`
    throw new CommandFailure(
      `There is no token${where}: log in with "meadow login${url === undefined ? '' : ` ${url}`}", or set MEADOW_TOKEN.`,
      { exitCode: EXIT_CODES.notAllowed },
    )
  }
  if (url !== undefined && url !== profile.url) {
    throw new UsageFailure(
      `The profile "${profile.name}" is for ${profile.url}: its token is not sent to ${url}. Leave --url or --profile out.`,
    )
  }
  return { url: profile.url, token: profile.token, profile: profile.name }
}

/**
 * Finds the current profile or, with an address, the profile for that. If several have the address, the current one is
 * preferred.
 */
function findProfile(
  profiles: Profiles['profiles'],
  current: string,
  url: string | undefined,
): (Profile & { name: string }) | undefined {
  const fitting = Object.entries(profiles)
    .map(([name, profile]) => ({ name, ...profile }))
    .filter((profile) => (url === undefined ? profile.name === current : profile.url === url))
  return fitting.find(({ name }) => name === current) ?? fitting[0]
}

export function missingProfile(name: string, profiles: Profiles['profiles']): CommandFailure {
  const names = Object.keys(profiles)
  const known = names.length === 0 ? 'There is none yet' : `There are ${names.join(', ')}`
  return new UsageFailure(
    `There is no profile "${name}". ${known}: "meadow login --profile ${name}" makes it.`,
  )
}
