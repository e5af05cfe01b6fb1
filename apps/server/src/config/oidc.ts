import { MEMBER_ROLES } from '@meadow/contract/terms'
import type { OidcConfig } from '../features/sign-in/open-id-provider.ts'
import type { RoleRule } from '../features/sign-in/role-rules.ts'
import { isHostName } from '../http/connection/address.ts'
import { isPublicId } from '../platform/public-ids.ts'
import { type Kind, longText, webAddress } from './kinds.ts'
import type { ValuesOf, Variable } from './read-variables.ts'

const NEEDED_SCOPES = ['openid', 'email']

const scopes: Kind<readonly string[]> = {
  accepts:
    'scopes with spaces between them, openid and email among them, such as "openid email profile groups"',
  read(text) {
    const list = text.trim().split(/\s+/)
    return NEEDED_SCOPES.every((scope) => list.includes(scope)) ? list : undefined
  },
}

/** One text a rule. What is wrong with which of them is said by {@link readOidc}. */
const rules: Kind<readonly string[]> = {
  accepts:
    'a list of rules such as "designers:team_0123456789abcdef:member, @example.org:team_0123456789abcdef:viewer"',
  read(text) {
    const list = text.match(/(?:\\.|[^,\r\n])+/g)?.map((rule) => rule.trim()) ?? []
    const filled = list.filter((rule) => rule !== '')
    return filled.length > 0 ? filled : undefined
  },
}

/** The variables about the OpenID provider. */
export const OIDC_VARIABLES = {
  MEADOW_OIDC_ISSUER: {
    is: webAddress,
    says:
      'The OpenID provider that people can sign in through, as its configuration names it. Needs MEADOW_BASE_URL; the ' +
      'provider has to know that address with /app/v1/auth/callback/oidc behind it, and to vouch for e-mail addresses ' +
      '(`email_verified`).',
  },
  MEADOW_OIDC_CLIENT_ID: { is: longText(1), says: 'What the OpenID provider calls this service.' },
  MEADOW_OIDC_CLIENT_SECRET: {
    is: longText(1),
    secret: true,
    says: 'What this service proves itself with to the OpenID provider; not needed where it is a public client.',
  },
  MEADOW_OIDC_NAME: {
    is: longText(1),
    default: 'single sign-on',
    says: 'What people know the OpenID provider as: the button reads "Continue with …".',
  },
  MEADOW_OIDC_SCOPES: {
    is: scopes,
    default: 'openid email profile',
    says: 'What is asked of the OpenID provider. Some name the groups of a person only with a further scope, such as `groups`.',
  },
  MEADOW_OIDC_ROLES: {
    is: rules,
    says:
      'Who gets a role by signing in through the OpenID provider: rules with a comma or a line break between them, each of a ' +
      'group, or of a domain with @ before it, the id of a team, and `owner`, `member` or `viewer`. In the name of a group, ' +
      'a comma is written `\\,`, and an @ at its beginning `\\@`. ' +
      'docs/operating.md says what follows.',
  },
  MEADOW_OIDC_GROUPS_CLAIM: {
    is: longText(1),
    default: 'groups',
    says: "The claim in which the OpenID provider names a person's groups, in the ID token or at its userinfo endpoint.",
  },
} as const satisfies Record<string, Variable>

/** The variables of an OpenID provider: all of them or none have to be set. */
export function readOidc(
  values: ValuesOf<typeof OIDC_VARIABLES> & { MEADOW_BASE_URL: string | undefined },
  mistakes: string[],
): OidcConfig | undefined {
  const {
    MEADOW_OIDC_ISSUER: issuer,
    MEADOW_OIDC_CLIENT_ID: clientId,
    MEADOW_OIDC_ROLES: texts,
    MEADOW_BASE_URL: baseUrl,
  } = values
  const missing = (name: string, because: string) =>
    mistakes.push(`${name} must be set, since ${because} is.`)
  const roles = texts?.map((text, index) => readRule(text, index + 1, mistakes))
  if (issuer === undefined && clientId === undefined) {
    if (roles) missing('MEADOW_OIDC_ISSUER', 'MEADOW_OIDC_ROLES')
    return undefined
  }
  if (issuer === undefined) missing('MEADOW_OIDC_ISSUER', 'MEADOW_OIDC_CLIENT_ID')
  if (clientId === undefined) missing('MEADOW_OIDC_CLIENT_ID', 'MEADOW_OIDC_ISSUER')
  if (baseUrl === undefined) missing('MEADOW_BASE_URL', 'MEADOW_OIDC_ISSUER')
  if (issuer === undefined || clientId === undefined) return undefined
  return {
    issuer,
    clientId,
    clientSecret: values.MEADOW_OIDC_CLIENT_SECRET,
    name: values.MEADOW_OIDC_NAME,
    scopes: values.MEADOW_OIDC_SCOPES,
    roles: (roles ?? []).filter((rule) => rule !== undefined),
    groupsClaim: values.MEADOW_OIDC_GROUPS_CLAIM,
  }
}

/** From the right: names of groups may hold colons. Undefined, with a sentence among `mistakes`, when it is not a rule. */
function readRule(text: string, number: number, mistakes: string[]): RoleRule | undefined {
  const wrong = (sentence: string) => {
    mistakes.push(`MEADOW_OIDC_ROLES: rule ${number} ${sentence}`)
    return undefined
  }
  const [, of = '', team = '', name = ''] =
    /^(.*):([^:]*):([^:]*)$/.exec(text)?.map((part) => part.trim()) ?? []
  if (of === '')
    return wrong(
      'is not complete: write a group or @domain, the id of a team and a role, with colons between them, such as ' +
        '"designers:team_0123456789abcdef:member".',
    )
  const role = MEMBER_ROLES.find((role) => role === name)
  if (!role) return wrong('names no role: write owner, member or viewer behind the last colon.')
  if (!isPublicId('team', team))
    return wrong(
      'names no team: write an id between the last two colons, as "meadow-server team list" shows it.',
    )
  if (!of.startsWith('@')) return { group: of.replaceAll(/\\([\\,@])/g, '$1'), team, role }
  const domain = of.slice(1).toLowerCase()
  if (!isHostName(domain) || !domain.includes('.'))
    return wrong(
      'names no domain: write one behind the @, such as @example.org. A group whose name begins with @ is written with ' +
        '\\@ at its beginning.',
    )
  return { domain, team, role }
}
