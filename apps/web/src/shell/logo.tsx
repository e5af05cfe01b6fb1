import { Anchor, Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import { findPublicPath } from '../api/public-path.ts'

export function Logo() {
  return (
    <Anchor component={Link} to="/" underline="never" c="inherit" className="home" aria-label="Meadow: home">
      <Group gap={8} wrap="nowrap">
        <LogoImage size={24} />
        <Text fw={600} visibleFrom="xs">
          Meadow
        </Text>
      </Group>
    </Anchor>
  )
}

/** The logo as an image. `size` is in pixels. */
export function LogoImage({ size }: { size: number }) {
  return <img src={`${findPublicPath()}/favicon.svg`} alt="" width={size} height={size} />
}
