import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from 'react-router'
import { meQuery } from '../../api/queries.ts'
import { IconArrowLeft } from '../../icons.ts'
import { LogoImage } from '../../shell/logo.tsx'

/** Takes the place of the way back to the folder: people of another team get to their own team. */
export function VisitorHome() {
  const me = useQuery(meQuery)
  if (!me.data) return <LogoImage size={22} />
  return (
    <Tooltip label="Your team">
      <ActionIcon component={Link} to="/" variant="subtle" color="gray" aria-label="Go to your team">
        <IconArrowLeft size={18} />
      </ActionIcon>
    </Tooltip>
  )
}

/** Leads visitors without a session to the sign-in page and back. Nothing for those who are signed in. */
export function SignInLink() {
  const me = useQuery(meQuery)
  const { pathname } = useLocation()
  if (me.data !== null) return null
  return (
    <Button
      component={Link}
      to={`/sign-in?to=${encodeURIComponent(pathname)}`}
      size="compact-sm"
      variant="subtle"
      color="gray"
    >
      Sign in
    </Button>
  )
}
