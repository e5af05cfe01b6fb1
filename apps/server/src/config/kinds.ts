import { isIP } from 'node:net'
import { resolve } from 'node:path'
import type { AllowedTargets } from '../features/webhooks/target.ts'
import { isHostName } from '../http/connection/address.ts'
import { BLOBS_ACCEPTS, readBlobsLocation, s3AccessIn } from '../platform/blobs/open-blobs.ts'
import { isNetwork } from '../platform/networks.ts'

/** A type of variable: how its text is read and described. */
export interface Kind<T> {
  /** Completes "must be …". */
  readonly accepts: string
  /** The value, or undefined when the text is not acceptable. */
  readonly read: (text: string) => T | undefined
}

export const wholeNumber = (min: number, max: number): Kind<number> => ({
  accepts: `a whole number from ${min} to ${max}`,
  read: (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : undefined
  },
})

/**
 * A limit with several levels, written as `team=64, process=256`. Levels that the text does not name keep their
 * default. `range`: the least and the greatest number of each.
 */
export function levels<const Level extends string>(
  defaults: Readonly<Record<Level, number>>,
  range?: readonly [min: number, max: number],
): Kind<Readonly<Record<Level, number>>> {
  const names = Object.keys(defaults)
  const [min, max] = range ?? [1, 999_999_999]
  const number = range ? `a whole number from ${min} to ${max}` : 'a whole number'
  return {
    accepts: `one or more of ${names.join(', ')}, each with ${number}, such as "${writeLevels(defaults)}"`,
    read: (text) => {
      const limits = { ...defaults } as Record<string, number>
      for (const part of text.split(',')) {
        const [, name = '', digits = ''] = /^\s*(\w+)\s*=\s*(\d{1,9})\s*$/.exec(part) ?? []
        const limit = Number(digits)
        if (!names.includes(name) || limit < min || limit > max) return undefined
        limits[name] = limit
      }
      return limits as Record<Level, number>
    },
  }
}

/** A limit with several levels as text: what {@link levels} reads. */
export const writeLevels = (limits: Readonly<Record<string, number>>): string =>
  Object.entries(limits)
    .map(([name, limit]) => `${name}=${limit}`)
    .join(', ')

export const port: Kind<number> = wholeNumber(0, 65_535)

export const oneOf = <const T extends string>(...choices: T[]): Kind<T> => ({
  accepts: `one of ${choices.join(', ')}`,
  read: (text) => choices.find((choice) => choice === text),
})

/** A secret that is long enough not to be guessed. */
export const longText = (minLength: number): Kind<string> => ({
  accepts: `a text of at least ${minLength} letters`,
  read: (text) => (text.length >= minLength ? text : undefined),
})

/** A text that fits into a header of a request. */
export const headerText: Kind<string> = {
  accepts: 'a text of visible ASCII characters',
  read: (text) => (/^[!-~]+$/.test(text) ? text : undefined),
}

/** A path, resolved from the working directory. */
const pathOf = (what: string): Kind<string> => ({
  accepts: `the path of a ${what}`,
  read: (text) => (text.includes('\0') ? undefined : resolve(text)),
})

export const directory = pathOf('folder')
export const filePath = pathOf('file')

/** Where the blobs are. The text is read again with the keys, which other variables hold. */
export const blobsAddress: Kind<string> = {
  accepts: BLOBS_ACCEPTS,
  read: (text) => (readBlobsLocation(text, s3AccessIn('')) ? text : undefined),
}

export const address: Kind<string> = {
  accepts: 'an IP address or a host name, without a port',
  read: (text) => (isIP(text) !== 0 || isHostName(text) ? text : undefined),
}

/** The public address of the server, without a closing slash, so that paths can be appended. */
export const webAddress: Kind<string> = {
  accepts: 'an address such as https://meadow.example.org, without user, query or fragment',
  read: (text) => {
    const url = URL.parse(text)
    if (!url || !['http:', 'https:'].includes(url.protocol)) return undefined
    if (url.username || url.password || text.includes('?') || text.includes('#')) return undefined
    return url.href.replace(/\/+$/, '')
  },
}

/** Where people write to, as the field `Contact` of RFC 9116 has it. */
export const contactAddress: Kind<string> = {
  accepts: 'an address such as mailto:security@example.org or https://example.org/security',
  read: (text) => {
    const url = URL.parse(text)
    return url && ['mailto:', 'https:', 'tel:'].includes(url.protocol) ? url.href : undefined
  },
}

export const postgresAddress: Kind<string> = {
  accepts: 'a PostgreSQL address such as postgres://user@host:5432/database',
  read: (text) => (/^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? '') ? text : undefined),
}

/** Addresses and networks, separated by commas. */
export const networks: Kind<string[]> = {
  accepts: 'a list of addresses or networks such as 127.0.0.1, 10.0.0.0/8',
  read: (text) => {
    const list = text.split(',').map((part) => part.trim())
    return list.every(isNetwork) ? list : undefined
  },
}

/** Addresses, networks and host names, separated by commas. */
export const allowedTargets: Kind<AllowedTargets> = {
  accepts: 'a list of addresses, networks and host names such as 127.0.0.1, 10.0.0.0/8, hooks.internal',
  read: (text) => {
    const list = text.split(',').map((part) => part.trim().toLowerCase())
    const hosts = list.filter((part) => !isNetwork(part))
    // What is almost an address is a mistake.
    const isName = (part: string) => isHostName(part) && !/^[\d.]+$/.test(part)
    return hosts.every(isName) ? { networks: list.filter(isNetwork), hosts } : undefined
  },
}
