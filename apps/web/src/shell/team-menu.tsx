import { Button, Menu, Text } from '@mantine/core'
import type { Membership } from '@meadow/contract/web'
import { Link } from 'react-router'
import { IconCheck, IconChevronDown } from '../icons.ts'

/** The current team, with a menu of the user's other teams. */
export function TeamMenu({ teams, current }: { teams: readonly Membership[]; current: Membership }) {
  if (teams.length === 1)
    return (
      <Button component={Link} to={`/teams/${current.id}`} variant="subtle" color="gray" maw={240}>
        <Text span inherit truncate>
          {current.name}
        </Text>
      </Button>
    )
  return (
    <Menu position="bottom-start" width={240}>
      <Menu.Target>
        <Button variant="subtle" color="gray" maw={240} rightSection={<IconChevronDown size={14} />}>
          <Text span inherit truncate>
            {current.name}
          </Text>
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
