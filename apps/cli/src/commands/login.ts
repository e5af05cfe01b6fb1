import { text as readText } from 'node:stream/consumers'
import { Forbidden, type Meadow, type Reach } from '@meadow/client'
import { ENDPOINT_DESCRIPTIONS } from '@meadow/client/endpoints'
import { CommandFailure, UsageFailure } from '@meadow/command'
import type { Command, CommandContext } from '../command-context.ts'
import { DEFAULT_URL, missingProfile, readUrl } from '../config/connection.ts'
import { createMeadow } from '../config/create-meadow.ts'
import { fetchTokenByCode } from '../config/device-authorization.ts'
import { DEFAULT_PROFILE, findConfigFile, readProfiles, writeProfiles } from '../config/profiles.ts'
import { EXIT_CODES, readFailure } from '../failure.ts'

/** `meadow login`: stores an address and a token as a profile, after the service has accepted the token. */
export const loginCommand: Command = {
  name: 'login',
  description:
    'Log in to a service: shows a code, which you confirm in the web app, where you choose what this computer may ' +
    'read, and for how long. The token is stored as a profile, which then is the current one.',
  arguments: { '[address]': `The address of the service [that of the profile; without one ${DEFAULT_URL}].` },
  options: {
    '--token-stdin': 'Read a token that was made in the settings of the team from stdin, for CI.',
  },
  examples: [
    'meadow login https://meadow.example.org',
    'meadow login https://meadow.example.org --profile work',
    'meadow login http://127.0.0.1:4000 --token-stdin < token.txt',
  ],
  run: login,
}

async function login(
  context: CommandContext,
  address: string | undefined,
  { tokenStdin }: { tokenStdin?: true },
): Promise<void> {
  const { options, env, stdin, output, signal } = context
  if (address !== undefined && options.url !== undefined)
    throw new UsageFailure('The address is there twice: leave --url out.')
  const file = findConfigFile(context)
  const stored = await readProfiles(file)
  const name = options.profile ?? (env.MEADOW_PROFILE || stored.current || DEFAULT_PROFILE)
  const known = env.MEADOW_URL || stored.profiles[name]?.url || DEFAULT_URL
  const url = readUrl(address ?? options.url ?? known)
  if (isExposed(url)) output.warning(`${url} is not encrypted: others on the way can read the token.`)
  const token = tokenStdin ? (await readText(stdin)).trim() : await fetchTokenByCode(url, context)
  if (token === '') throw new UsageFailure('The token is empty: make one in the settings of the team.')
  const meadow = createMeadow(url, token, options, output)
  const team = await readTeamName(meadow, signal)
  const profile = { url, token, ...(team !== undefined && { team }) }
  // The file is read again, since someone may have logged in elsewhere while this command waited.
  const { profiles } = await readProfiles(file)
  await writeProfiles(file, { current: name, profiles: { ...profiles, [name]: profile } })
  await output.data(
    { profile: name, url, team: team ?? null, file },
    () =>
      `Logged in to ${url}${team === undefined ? '' : `, team ${team}`}, as the profile "${name}" in ${file}.`,
  )
}

/**
 * Resolves with the name of the team; undefined for a token that may not read it. Fails when the service rejects the
 * token.
 */
async function readTeamName(meadow: Meadow, signal: AbortSignal): Promise<string | undefined> {
  try {
    return (await meadow.readTeam({ signal })).name
  } catch (error) {
    // A token of another team is rejected with the same status as one without the scope.
    if (error instanceof Forbidden && (await readAccess(meadow, signal)).scopes.length > 0) return undefined
    throw error
  }
}

/** Whether others can read what is sent to this address. */
function isExposed(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

/** `meadow whoami` shows which service, team and token are used. */
export const whoamiCommand: Command = {
  name: 'whoami',
  description: 'Print the service, the team, the scopes of the token, and whether it is limited to folders.',
  examples: ['meadow whoami', 'meadow whoami --jq .team'],
  run: whoami,
}

async function whoami(context: CommandContext): Promise<void> {
  const { output, options, signal } = context
  const { url, token, profile = null } = await context.connect()
  const meadow = createMeadow(url, token, options, output)
  const [team, { scopes, reach }] = await Promise.all([
    readTeamName(meadow, signal),
    readAccess(meadow, signal),
  ])
  const source = profile === null ? 'MEADOW_TOKEN' : `the profile "${profile}"`
  await output.data({ url, team: team ?? null, profile, scopes, reach }, () =>
    [
      `team     ${team ?? '(the token may not read it)'}`,
      `service  ${url}`,
      `token    of ${source}`,
      `scopes   ${scopes.join(', ')}`,
      `reads    ${reach === 'folders' ? 'the folders that the token is limited to' : 'all of the team'}`,
    ].join('\n'),
  )
}

/** An id that no document or folder has: an endpoint checks the scope before it looks for one. */
const NO_ID = '-'

/** Resolves with the scopes of the token, which are those whose endpoints do not answer 403, and with its reach. */
async function readAccess(meadow: Meadow, signal: AbortSignal): Promise<{ scopes: string[]; reach: Reach }> {
  const scopes = new Map(ENDPOINT_DESCRIPTIONS.map((endpoint) => [endpoint.scope, endpoint]))
  const found = await Promise.all(
    [...scopes].map(async ([scope, { path, parameters }]) => {
      const required = parameters.filter((one) => one.in === 'query' && one.isRequired)
      const query = Object.fromEntries(
        required.map(({ name, schema }) => [name, String(schema.enum?.[0] ?? '')]),
      )
      const probed = path.replace(/\{\w+\}/g, NO_ID)
      const response = await meadow.request(probed, { method: 'HEAD', query, signal })
      const { status, headers } = response
      if (status === 401)
        throw new CommandFailure('That API token is unknown, expired or revoked.', {
          exitCode: EXIT_CODES.notAllowed,
        })
      // Any other status says nothing about the scope.
      if (!response.ok && status !== 403 && status !== 404)
        throw await readFailure(response, meadow.baseUrl + probed)
      return { scope, isThere: status !== 403, isLimited: headers.get('meadow-reach') === 'folders' }
    }),
  )
  return {
    scopes: found.filter(({ isThere }) => isThere).map(({ scope }) => scope),
    reach: found.some(({ isLimited }) => isLimited) ? 'folders' : 'team',
  }
}

/** `meadow logout` removes a profile with its token. */
export const logoutCommand: Command = {
  name: 'logout',
  description:
    'Remove the token of a profile from this computer. To end the token, revoke it in the settings of the team.',
  examples: ['meadow logout', 'meadow logout --profile work'],
  run: logout,
}

async function logout(context: CommandContext): Promise<void> {
  const file = findConfigFile(context)
  const { profiles, current = DEFAULT_PROFILE } = await readProfiles(file)
  const name = context.options.profile ?? (context.env.MEADOW_PROFILE || current)
  if (!Object.hasOwn(profiles, name)) throw missingProfile(name, profiles)
  const { [name]: _, ...others } = profiles
  const next = name === current ? Object.keys(others)[0] : current
  await writeProfiles(file, { profiles: others, ...(next !== undefined && { current: next }) })
  await context.output.data(
    { profile: name, current: next ?? null },
    () => `The profile "${name}" is removed.${next === undefined ? '' : ` The current one is "${next}".`}`,
  )
}

/** `meadow profile` lists and chooses profiles. */
export const profileCommand: Command = {
  name: 'profile',
  description: 'Profiles: services and tokens that are stored on this computer.',
  commands: [
    {
      name: 'list',
      description: 'List the profiles, without their tokens.',
      examples: ['meadow profile list'],
      run: listProfiles,
    },
    {
      name: 'use',
      description: 'Make a profile the current one.',
      arguments: { '<profile>': 'Its name.' },
      examples: ['meadow profile use work'],
      run: useProfile,
    },
  ],
}

async function listProfiles(context: CommandContext): Promise<void> {
  const { profiles, current } = await readProfiles(findConfigFile(context))
  const list = Object.entries(profiles).map(([name, { url, team }]) => ({
    name,
    url,
    team: team ?? null,
    isCurrent: name === current,
  }))
  await context.output.data(
    { profiles: list },
    {
      table: {
        columns: ['current', 'profile', 'team', 'service'],
        rows: list.map(({ name, url, team, isCurrent }) => [isCurrent ? '*' : null, name, team, url]),
      },
    },
  )
}

async function useProfile(context: CommandContext, name: string): Promise<void> {
  const file = findConfigFile(context)
  const { profiles } = await readProfiles(file)
  if (!Object.hasOwn(profiles, name)) throw missingProfile(name, profiles)
  await writeProfiles(file, { profiles, current: name })
  await context.output.data({ current: name }, () => `The current profile is "${name}".`)
}
