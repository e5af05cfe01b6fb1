import { readEmailAddress } from '../../access/users.store.ts'
import type { Log } from '../../platform/log.ts'

/** What the OpenID provider says of a person, as far as rules about roles ask for it. */
export interface ProviderProfile {
  groups: ReadonlySet<string>
  /** In lower case; undefined when the provider does not vouch for the address. */
  verifiedEmail: string | undefined
}

/** A person as better-auth takes them from a provider. */
export type ProviderUser = {
  sub: string
  email: string | undefined
  emailVerified: boolean
  name: string
  image: string | undefined
}

export interface ProfileReaderParts {
  /** The address of the provider's metadata. */
  discoveryUrl: string
  /** The claim with the groups; undefined when no rule asks for them. */
  groupsClaim: string | undefined
  log: Pick<Log, 'error' | 'warn'>
}

/** What came with the code. The signature, issuer, audience and nonce of the ID token were verified. */
export interface ProviderTokens {
  idToken?: string | undefined
  accessToken?: string | undefined
}

/** The claims of a person. From JSON: any value may be of any type. */
type Claims = Readonly<Record<string, unknown>>

const FETCH_MS = 10_000
/** Room for the claims of a person in 10,000 groups with long names. */
const MAX_RESPONSE_BYTES = 4 * 2 ** 20

/**
 * Reads what the provider says of a person: in the ID token, and, where that lacks the address or the groups that rules ask
 * for, at its userinfo endpoint (OpenID Connect Core, 5.3). Undefined when it does not say who that is, or when what it
 * says cannot be read: then nobody is signed in, and no role ends because the provider has a fault.
 */
export function createProfileReader({ discoveryUrl, groupsClaim, log }: ProfileReaderParts) {
  let metadata: Promise<Claims> | undefined

  async function fetchUserinfo({ accessToken }: ProviderTokens, sub: string): Promise<Claims> {
    metadata ??= fetchClaims(discoveryUrl).catch((error) => {
      metadata = undefined
      throw error
    })
    const { userinfo_endpoint: address } = await metadata
    if (typeof address !== 'string' || accessToken === undefined) return {}
    const claims = await fetchClaims(address, { authorization: `Bearer ${accessToken}` })
    // Otherwise they could be those of somebody else (5.3.2).
    if (claims.sub !== sub)
      throw new Error('its userinfo endpoint speaks of another person than the ID token')
    return claims
  }

  return async (
    tokens: ProviderTokens,
  ): Promise<{ user: ProviderUser; profile: ProviderProfile } | undefined> => {
    const own = tokens.idToken === undefined ? {} : readIdToken(tokens.idToken)
    const { sub } = own
    if (typeof sub !== 'string' || sub === '') return undefined
    const lacksEmail = typeof own.email !== 'string'
    const lacksGroups = groupsClaim !== undefined && !Object.hasOwn(own, groupsClaim)
    const more =
      lacksEmail || lacksGroups
        ? await fetchUserinfo(tokens, sub).catch((err: unknown) => {
            log.error({ err }, 'the OpenID provider did not say more of a person')
            return undefined
          })
        : {}
    if (!more) return undefined
    // An address and whether it is verified are from one place.
    const { email, email_verified } = lacksEmail ? more : own
    const user = readUser(sub, { ...more, ...own, email, email_verified })
    if (groupsClaim !== undefined && [own, more].some((claims) => isElsewhere(claims, groupsClaim)))
      log.warn({ claim: groupsClaim, sub }, GROUPS_ELSEWHERE)
    const verifiedEmail = user.emailVerified ? readEmailAddress(user.email ?? '') : undefined
    return { user, profile: { groups: readGroups(lacksGroups ? more : own, groupsClaim), verifiedEmail } }
  }
}

const GROUPS_ELSEWHERE =
  'The OpenID provider leaves out the groups of a person, since there are too many: rules about groups give them nothing. ' +
  'Let it name only the groups that rules ask for.'

/** Whether the claim has to be asked for at a third place (OpenID Connect Core, 5.6.2), which Meadow does not do. */
function isElsewhere(claims: Claims, claim: string): boolean {
  const names = claims._claim_names
  return typeof names === 'object' && names !== null && Object.hasOwn(names, claim)
}

/** The names of groups: a list of texts, or one text, as some providers send a single group. Anything else is none. */
function readGroups(claims: Claims, claim: string | undefined): ReadonlySet<string> {
  const value = claim !== undefined && Object.hasOwn(claims, claim) ? claims[claim] : undefined
  const list: unknown[] = Array.isArray(value) ? value : [value]
  return new Set(list.filter((group) => typeof group === 'string'))
}

const readUser = (sub: string, { email, email_verified, name, picture }: Claims): ProviderUser => ({
  sub,
  email: typeof email === 'string' ? email : undefined,
  // Some providers send a text.
  emailVerified: email_verified === true || email_verified === 'true',
  name: typeof name === 'string' ? name : '',
  image: typeof picture === 'string' ? picture : undefined,
})

/** The claims of a token that was verified. */
const readIdToken = (token: string): Claims =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Claims

async function fetchClaims(url: string, headers: Record<string, string> = {}): Promise<Claims> {
  const response = await fetch(url, {
    headers: { accept: 'application/json', ...headers },
    signal: AbortSignal.timeout(FETCH_MS),
  })
  if (!response.ok || !response.body) throw new Error(`${new URL(url).pathname} answers ${response.status}`)
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body) {
    bytes += chunk.length
    if (bytes > MAX_RESPONSE_BYTES) throw new Error(`${new URL(url).pathname} answers with too much`)
    chunks.push(chunk)
  }
  const claims: unknown = JSON.parse(Buffer.concat(chunks).toString())
  if (typeof claims !== 'object' || claims === null)
    throw new Error(`${new URL(url).pathname} answers no claims`)
  return claims as Claims
}
