import {
  ActionIcon,
  Anchor,
  AppShell,
  Button,
  Center,
  Container,
  Group,
  Menu,
  Text,
  Title,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { type Me, type Membership, signOut } from '@meadow/contract/web'
import { type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useRef } from 'react'
import {
  Link,
  Navigate,
  NavLink,
  Outlet,
  ScrollRestoration,
  useLocation,
  useNavigate,
  useParams,
} from 'react-router'
import { call } from '../api/call.ts'
import { meQuery } from '../api/queries.ts'
import { Failure } from './failure.tsx'
import {
  IconCheck,
  IconChevronDown,
  IconFolders,
  IconListSearch,
  IconLogout,
  IconMoon,
  IconSettings,
  IconSun,
  IconTrash,
  IconUser,
  IconUserCircle,
} from './icons.ts'
import { Loading } from './loading.tsx'
import { Logo } from './logo.tsx'
import { forgetUploads } from './upload-queue.ts'
import { MeContext } from './use-me.ts'
import { useTitle } from './use-title.ts'

/** The header and layout of all pages but the editor. Redirects to the sign-in page without a session. */
export function Shell() {
  const me = useQuery(meQuery)
  const { pathname, search } = useLocation()
  const { teamId } = useParams()
  const main = useRef<HTMLElement>(null)
  useEffect(() => {
    // The focused element was removed with the last page.
    if (pathname && document.activeElement === document.body) main.current?.focus({ preventScroll: true })
  }, [pathname])
  if (me.isPending) return <PageLoader />
  if (me.isLoadingError) return <Unreachable me={me} />
  if (!me.data) return <Navigate to={`/sign-in?to=${encodeURIComponent(pathname + search)}`} replace />
  const team = me.data.teams.find(({ id }) => id === teamId) ?? me.data.teams[0]
  const openTeam = me.data.teams.find(({ id }) => id === teamId)
  return (
    <MeContext value={me.data}>
      <AppShell header={{ height: 52 }} padding="md">
        <AppShell.Header>
          <Anchor href="#main" className="skip-link">
            Skip to the content
          </Anchor>
          <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="xs">
            <Group gap="xs" wrap="nowrap" miw={0}>
              <Logo />
              {team && <TeamMenu teams={me.data.teams} current={team} />}
            </Group>
            <Group gap={4} wrap="nowrap" component="nav" aria-label="Team">
              {team && (
                <>
                  <NavButton to={`/teams/${team.id}`} icon={<IconFolders size={18} />} label="Folders" />
                  <NavButton to={`/teams/${team.id}/uses`} icon={<IconListSearch size={18} />} label="Uses" />
                  {team.role !== 'viewer' && (
                    <NavButton to={`/teams/${team.id}/bin`} icon={<IconTrash size={18} />} label="Bin" />
                  )}
                  <NavButton
                    to={`/teams/${team.id}/settings`}
                    icon={<IconSettings size={18} />}
                    label="Settings"
                  />
                </>
              )}
              <UserMenu person={me.data.person} />
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Main id="main" ref={main} tabIndex={-1} className="main">
          <Suspense fallback={<PageLoader />}>
            {openTeam?.needsSecondFactor ? <LockedTeam name={openTeam.name} /> : <Outlet />}
          </Suspense>
          <ScrollRestoration />
        </AppShell.Main>
      </AppShell>
    </MeContext>
  )
}

/** Shown in place of all pages of a team that is open only to members with a second factor. */
function LockedTeam({ name }: { name: string }) {
  useTitle(name)
  return (
    <Container size="xs" py={80}>
      <Title order={1} size="h3">
        {name} requires a second factor
      </Title>
      <Text my="md">
        An owner of the team has decided that members sign in with more than a password. Set up a second
        factor, and the team is open to you again.
      </Text>
      <Button component={Link} to="/account/security">
        Set up a second factor
      </Button>
    </Container>
  )
}

function Unreachable({ me }: { me: UseQueryResult }) {
  return (
    <Container component="main" size="xs" py={80}>
      <Failure error={me.error} retry={me.refetch} />
    </Container>
  )
}

function NavButton({ to, icon, label }: { to: string; icon: React.ReactNode; label: string }) {
  return (
    <Button component={NavLink} to={to} variant="subtle" color="gray" px="xs" aria-label={label}>
      <Group gap={6} wrap="nowrap">
        {icon}
        <span className="wide-only">{label}</span>
      </Group>
    </Button>
  )
}

function PageLoader() {
  return (
    <Center h="60vh">
      <Loading />
    </Center>
  )
}

/** The current team, with a menu of the user's other teams. */
function TeamMenu({ teams, current }: { teams: readonly Membership[]; current: Membership }) {
  if (teams.length === 1)
    return (
      <Button
        component={Link}
        to={`/teams/${current.id}`}
        variant="subtle"
        color="gray"
        maw={240}
        visibleFrom="sm"
      >
        <Text span inherit truncate>
          {current.name}
        </Text>
      </Button>
    )
  return (
    <Menu position="bottom-start" width={240}>
      <Menu.Target>
        <Button variant="subtle" color="gray" maw={240} px="xs" aria-label={`Team: ${current.name}`}>
          <Text span inherit truncate visibleFrom="sm" mr={6}>
            {current.name}
          </Text>
          <IconChevronDown size={14} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Your teams</Menu.Label>
        {teams.map(({ id, name }) => (
          <Menu.Item
            key={id}
            component={Link}
            to={`/teams/${id}`}
            rightSection={id === current.id && <IconCheck size={16} aria-label="open now" />}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function UserMenu({ person }: Pick<Me, 'person'>) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  const signingOut = useMutation({
    mutationFn: () => call(signOut),
    async onSuccess() {
      // The next user sees none of this one's data.
      queryClient.clear()
      forgetUploads()
      await navigate('/sign-in')
    },
  })
  return (
    <Menu position="bottom-end" width={220} withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={36} radius="xl" aria-label="Your account">
          <IconUserCircle size={26} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{person.email}</Menu.Label>
        <Menu.Item component={Link} to="/account" leftSection={<IconUser size={16} />}>
          Account
        </Menu.Item>
        <Menu.Item
          leftSection={isDark ? <IconSun size={16} /> : <IconMoon size={16} />}
          onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
        >
          {isDark ? 'Light colours' : 'Dark colours'}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => signingOut.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
