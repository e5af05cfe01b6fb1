import { Stack, Tabs, Title } from '@mantine/core'
import type { MemberRole } from '@meadow/contract'
import { useNavigate, useParams } from 'react-router'
import { NotFound } from '../shell/not-found.tsx'
import { useTeam } from '../shell/use-me.ts'
import { useTitle } from '../shell/use-title.ts'
import { CreditsSection } from './credits-section.tsx'
import { GeneralSection } from './general-section.tsx'
import { MembersSection } from './members-section.tsx'
import { MirrorsSection } from './mirrors-section.tsx'
import { TokensSection } from './tokens-section.tsx'

/** By the last segment of their path. */
const SECTIONS = {
  general: { label: 'General', Section: GeneralSection },
  members: { label: 'Members', Section: MembersSection },
  tokens: { label: 'API tokens', Section: TokensSection },
  mirrors: { label: 'Mirrors', Section: MirrorsSection },
  credits: { label: 'Credits', Section: CreditsSection },
}

/** Viewers do not see the operator's paths. */
const listSections = (role: MemberRole) =>
  Object.entries(SECTIONS).filter(([name]) => name !== 'mirrors' || role !== 'viewer')

export function SettingsPage() {
  const team = useTeam()
  const { section = 'general' } = useParams()
  const navigate = useNavigate()
  useTitle(team && `Settings of ${team.name}`)
  const sections = team ? listSections(team.role) : []
  if (!team || !sections.some(([name]) => name === section)) return <NotFound />
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
