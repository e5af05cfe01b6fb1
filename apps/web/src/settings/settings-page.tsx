import { Stack, Tabs, Title } from '@mantine/core'
import { listMirrors, type Membership } from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from 'react-router'
import { queryOf } from '../api/queries.ts'
import { NotFound } from '../shell/not-found.tsx'
import { useTeam } from '../shell/use-me.ts'
import { useTitle } from '../shell/use-title.ts'
import { AuditSection } from './audit-section.tsx'
import { CreditsSection } from './credits/credits-section.tsx'
import { GeneralSection } from './general-section.tsx'
import { MembersSection } from './members-section.tsx'
import { MirrorsSection } from './mirrors-section.tsx'
import { TokensSection } from './tokens/tokens-section.tsx'
import { WebhooksSection } from './webhooks/webhooks-section.tsx'

/** The sections by the last segment of their path. */
const SECTIONS = {
  general: { label: 'General', Section: GeneralSection },
  members: { label: 'Members', Section: MembersSection },
  tokens: { label: 'API tokens', Section: TokensSection },
  webhooks: { label: 'Webhooks', Section: WebhooksSection },
  mirrors: { label: 'Mirrors', Section: MirrorsSection },
  credits: { label: 'Credits', Section: CreditsSection },
  audit: { label: 'Audit log', Section: AuditSection },
}

const FOR_OWNERS = new Set(['webhooks', 'audit'])

export function SettingsPage() {
  const team = useTeam()
  const { section = 'general' } = useParams()
  const navigate = useNavigate()
  useTitle(team && `Settings of ${team.name}`)
  const hasMirrors = useHasMirrors(team)
  const isOwner = team?.role === 'owner'
  const sections = Object.entries(SECTIONS).filter(
    ([name]) => (name !== 'mirrors' || hasMirrors) && (!FOR_OWNERS.has(name) || isOwner),
  )
  if (!team || !(section in SECTIONS) || (section === 'mirrors' && team.role === 'viewer'))
    return <NotFound />
  if (FOR_OWNERS.has(section) && !isOwner) return <NotFound />
  return (
    <Stack maw={960} mx="auto">
      <Title order={1} size="h2">
        Team settings
      </Title>
      <Tabs
        value={section}
        onChange={(next) => void navigate(`/teams/${team.id}/settings/${next}`)}
        keepMounted={false}
      >
        <Tabs.List>
          {sections.map(([name, { label }]) => (
            <Tabs.Tab key={name} value={name} px={{ base: 8, xs: 'md' }}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {sections.map(([name, { Section }]) => (
          <Tabs.Panel key={name} value={name} pt="md">
            <Section team={team} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  )
}

/** Returns whether the mirrors have a section. Few teams have mirrors, and viewers do not see the operator's paths. */
function useHasMirrors(team: Membership | undefined): boolean {
  const { section } = useParams()
  const query = useQuery({
    ...queryOf(listMirrors, { params: [team?.id ?? ''] }),
    enabled: team !== undefined && team.role !== 'viewer',
  })
  return section === 'mirrors' || (query.data?.mirrors.length ?? 0) > 0
}
