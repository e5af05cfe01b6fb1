import { Anchor, Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import { Mark } from './mark.tsx'

export function Logo() {
  return (
    <Anchor component={Link} to="/" underline="never" c="inherit" aria-label="Meadow: home">
      <Group gap={8} wrap="nowrap">
        <Mark size={24} />
        <Text fw={600} visibleFrom="xs">
          Meadow
        </Text>
      </Group>
    </Anchor>
  )
}
