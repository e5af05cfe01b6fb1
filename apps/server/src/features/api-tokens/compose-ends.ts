import type { TeamId, TokenKind } from '@meadow/contract'
import { writeTime } from '../../access/account-notices.ts'
import { type Mail, quoteName } from '../../platform/mail/outbox.ts'

/** What a mail says about an API token that ends. */
export interface EndingToken {
  name: string
  kind: TokenKind
  teamId: TeamId
  teamName: string
  expiresAt: number
  lastUsedAt: number | null
  lastUsedFrom: string | null
}

/** How many tokens a mail describes; it counts the others. */
const MAX_DESCRIBED = 20

/** Writes the mail about the ends of these tokens, of which there is one at least. */
export function composeEnds(unsorted: readonly EndingToken[]): Omit<Mail, 'to'> {
  const tokens = unsorted.toSorted((a, b) => a.expiresAt - b.expiresAt)
  const others = tokens.slice(MAX_DESCRIBED)
  const isOneTeam = new Set(tokens.map(({ teamId }) => teamId)).size === 1
  return {
    subject: tokens.length === 1 ? 'An API token ends soon' : `${tokens.length} API tokens end soon`,
    paragraphs: [
      ...tokens.slice(0, MAX_DESCRIBED).map(describe),
      ...(others.length > 0 ? [`${others.length} more end by ${writeTime(others.at(-1)!.expiresAt)}.`] : []),
      'Requests with a token that has ended are rejected. If one is still needed, replace it before, in the settings of its team under "API tokens", and give the new secret to the programs that use it.',
    ],
    link: isOneTeam
      ? { label: 'Open the API tokens of the team', path: `/teams/${tokens[0]!.teamId}/settings/tokens` }
      : { label: 'Open Meadow', path: '/' },
  }
}

function describe({ name, kind, teamName, expiresAt, lastUsedAt, lastUsedFrom }: EndingToken): string {
  const what = kind === 'service' ? 'The service token' : 'The API token'
  const from = lastUsedFrom === null ? '' : `, from ${lastUsedFrom}`
  const use =
    lastUsedAt === null ? 'It was never used.' : `It was last used on ${writeTime(lastUsedAt)}${from}.`
  return `${what} ${quoteName(name)} of the team ${quoteName(teamName)} ends on ${writeTime(expiresAt)}. ${use}`
}
