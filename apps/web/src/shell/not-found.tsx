import { Anchor, Stack, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import { useTitle } from './use-title.ts'

/** The page for a 404, which is also the response for pages that the user may not see. */
export function NotFound({ what = 'page' }: { what?: string }) {
  useTitle('Not found')
  return (
    <Stack align="center" ta="center" py="xl" gap="xs">
      <Title order={1} size="h2">
        Not found
      </Title>
      <Text c="dimmed">There is no such {what}, or it is not shared with you.</Text>
      <Anchor component={Link} to="/">
        Go to your team
      </Anchor>
    </Stack>
  )
}
