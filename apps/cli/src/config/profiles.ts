import { randomUUID } from 'node:crypto'
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CommandFailure } from '@meadow/command'
import type { Surroundings } from '../command-context.ts'

/** A service and a token of one of its teams. */
export interface Profile {
  /** The address without a closing slash. */
  url: string
  token: string
  /** The name that the team had when the profile was stored, if the token may read it. */
  team?: string
}

export interface Profiles {
  /** The profile that is used when none is named. */
  current?: string
  profiles: Record<string, Profile>
}

/** The name of the profile that `meadow login` stores when none is named. */
export const DEFAULT_PROFILE = 'default'

/**
 * Returns the file with the profiles, in the place for settings of each system. MEADOW_CONFIG_DIR names another folder.
 * Source: the XDG base directory specification; Apple's and Microsoft's guides to where programs keep their files.
 */
export function findConfigFile({
  env,
  home,
  platform,
}: Pick<Surroundings, 'env' | 'home' | 'platform'>): string {
  return join(env.MEADOW_CONFIG_DIR || join(findConfigFolder(env, home, platform), 'meadow'), 'config.json')
}

function findConfigFolder(env: Surroundings['env'], home: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  // The specification ignores relative paths.
  return env.XDG_CONFIG_HOME?.startsWith('/') ? env.XDG_CONFIG_HOME : join(home, '.config')
}

/** Reads the profiles. A file that does not exist has no profiles. */
export async function readProfiles(file: string): Promise<Profiles> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { profiles: {} }
    throw error
  }
  const profiles = parseProfiles(text)
  if (!profiles) {
    throw new CommandFailure(
      `"${file}" is not a file of profiles: correct it, or delete it and log in again with "meadow login".`,
    )
  }
  return profiles
}

/** Writes all profiles or nothing. Only the user may read the file, since it has tokens. */
export async function writeProfiles(file: string, profiles: Profiles): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const unfinished = `${file}.${randomUUID()}`
  try {
    await writeFile(unfinished, `${JSON.stringify(profiles, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' })
    await rename(unfinished, file)
  } finally {
    await rm(unfinished, { force: true })
  }
}

/**
 * Removes the permissions of others on the file. Resolves with true when they had any. Windows has other permissions.
 */
export async function closeToOthers(file: string, platform: NodeJS.Platform): Promise<boolean> {
  if (platform === 'win32') return false
  const facts = await stat(file).catch(() => undefined)
  if (!facts || (facts.mode & 0o077) === 0) return false
  await chmod(file, 0o600)
  return true
}

function parseProfiles(text: string): Profiles | undefined {
  let json: Partial<Profiles>
  try {
    json = JSON.parse(text)
  } catch {
    return undefined
  }
  const { current, profiles } = json ?? {}
  if (typeof profiles !== 'object' || profiles === null) return undefined
  const areProfiles = Object.values(profiles).every(
    (profile) => typeof profile?.url === 'string' && typeof profile.token === 'string',
  )
  if (!areProfiles || (current !== undefined && typeof current !== 'string')) return undefined
  return { ...(current !== undefined && { current }), profiles }
}
