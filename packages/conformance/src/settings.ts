/** What a run is given. Only the address and one token are needed; each further one lets more sentences be checked. */
export interface Settings {
  /** `{base_url}` of the contract, without `/api/v1`. */
  baseUrl: string
  /** A token with every scope. */
  token: string
  /** Tokens of the same team, each without a scope that one of the endpoints needs. */
  limitedTokens?: readonly string[]
  /** A token of the same team that was revoked. */
  revokedToken?: string
  /** A token with every scope of another team, which has at least one document. */
  otherToken?: string
  /** A token of a team that lacks its root folder. */
  rootlessToken?: string
  /** An address of the same service that belongs to the token's team, where other teams' tokens are refused. */
  teamUrl?: string
  /** The id of a document that was never solved. */
  neverSolved?: string
  /** The id of a document that is being solved until the run is over. */
  solving?: string
  /** The id of a document whose most recent solve failed. */
  failed?: string
  /** The id of a document that was solved. */
  solved?: string
  /** The id of a document that was solved, with a model file that can be read. */
  withGeometry?: string
  /** The id of a document that was solved, without a model file or with one that cannot be read. */
  withoutGeometry?: string
  /** A download link from an export whose `expiresAt` has passed. */
  expiredLink?: string
  /** How long a response may take, in milliseconds; a minute by default. */
  timeoutMs?: number
}

/** Settings that are secrets, with the variable of the environment that each is read from. */
export const SECRETS = {
  token: 'CONFORMANCE_TOKEN',
  limitedTokens: 'CONFORMANCE_LIMITED_TOKENS',
  revokedToken: 'CONFORMANCE_REVOKED_TOKEN',
  otherToken: 'CONFORMANCE_OTHER_TOKEN',
  rootlessToken: 'CONFORMANCE_ROOTLESS_TOKEN',
  expiredLink: 'CONFORMANCE_EXPIRED_LINK',
} as const satisfies Partial<Record<keyof Settings, string>>

/** Settings that are no secrets, with the option that each is read from, its value, and what it is for. */
export const OPTIONS = {
  teamUrl: ['team-url', 'URL', "an address of the service that belongs to the token's team alone"],
  neverSolved: ['never-solved', 'ID', 'a document that was never solved'],
  solving: ['solving', 'ID', 'a document that is being solved until the run is over'],
  failed: ['failed', 'ID', 'a document whose most recent solve failed'],
  solved: ['solved', 'ID', 'a document that was solved'],
  withGeometry: ['with-geometry', 'ID', 'a document that was solved, with a model file'],
  withoutGeometry: ['without-geometry', 'ID', 'a document that was solved, without a readable model file'],
} as const satisfies Partial<Record<keyof Settings, readonly [string, string, string]>>

type Given = keyof typeof SECRETS | keyof typeof OPTIONS

/** How a setting is given, for messages: `CONFORMANCE_OTHER_TOKEN` or `--failed ID`. */
export const nameOf = (setting: Given): string =>
  setting in SECRETS
    ? SECRETS[setting as keyof typeof SECRETS]
    : `--${OPTIONS[setting as keyof typeof OPTIONS].slice(0, 2).join(' ')}`
