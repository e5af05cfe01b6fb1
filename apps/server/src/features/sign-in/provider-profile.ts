import { readEmailAddress } from '../../access/users.store.ts'
import type { Log } from '../../platform/log.ts'
import { isStorable } from '../../platform/public-ids.ts'
import type { Claims, PersonSource } from './open-id-provider.ts'

/** What the OpenID provider says of a person, as far as rules about roles ask for it. */
export interface ProviderProfile {
  groups: ReadonlySet<string>
  /** The address in lower case; undefined when the provider does not vouch for it. */
  verifiedEmail: string | undefined
}

/** A person at the provider. */
export type ProviderUser = {
  sub: string
  email: string | undefined
  emailVerified: boolean
  /** Empty when the provider does not give a name. */
  name: string
}

/**
 * Reads what the provider says of a person: in the ID token, and, where that lacks the address or the groups that rules ask
 * for, at its userinfo endpoint (OpenID Connect Core, 5.3). Undefined when it does not say who that is, or when what it
 * says cannot be read: then nobody is signed in, and no role ends because the provider has a fault. `groupsClaim`: the
 * claim with the groups; undefined when no rule asks for them.
 */
export async function readProfile(
  { claims: own, fetchUserinfo }: PersonSource,
  groupsClaim: string | undefined,
  log: Pick<Log, 'error' | 'warn'>,
): Promise<{ user: ProviderUser; profile: ProviderProfile } | undefined> {
  const { sub } = own
  if (typeof sub !== 'string' || sub === '' || !isStorable(sub)) return undefined
  const lacksEmail = typeof own.email !== 'string'
  const lacksGroups = groupsClaim !== undefined && !Object.hasOwn(own, groupsClaim)
  const more =
    lacksEmail || lacksGroups
      ? await fetchUserinfo().catch((err: unknown) => {
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

const GROUPS_ELSEWHERE =
  'The OpenID provider leaves out the groups of a person, since there are too many: rules about groups give them nothing. ' +
  'Let it name only the groups that rules ask for.'

/** Whether the claim has to be asked for at a third place (OpenID Connect Core, 5.6.2), which Meadow does not do. */
function isElsewhere(claims: Claims, claim: string): boolean {
  const names = claims._claim_names
  return typeof names === 'object' && names !== null && Object.hasOwn(names, claim)
}

/** Reads the names of groups from a list of texts, or from one text, as which some providers send a single group. */
function readGroups(claims: Claims, claim: string | undefined): ReadonlySet<string> {
  const value = claim !== undefined && Object.hasOwn(claims, claim) ? claims[claim] : undefined
  const list: unknown[] = Array.isArray(value) ? value : [value]
  return new Set(list.filter((group) => typeof group === 'string'))
}

const readUser = (sub: string, { email, email_verified, name }: Claims): ProviderUser => ({
  sub,
  email: typeof email === 'string' ? email : undefined,
  // Some providers send a text.
  emailVerified: email_verified === true || email_verified === 'true',
  name: typeof name === 'string' ? name : '',
})
