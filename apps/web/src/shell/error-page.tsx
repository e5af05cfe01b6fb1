import { Button, Stack, Text, Title } from '@mantine/core'
import { useRouteError } from 'react-router'
import { errorMessage } from '../api/call.ts'
import { useTitle } from './use-title.ts'

/** Shown when a page throws, also when its chunk no longer exists after an upgrade of the server. */
export function ErrorPage() {
  useTitle('Something went wrong')
  const error = useRouteError()
  return (
    <Stack component="main" align="center" py={80} gap="sm">
      <Title order={1} size="h2">
        Something went wrong
      </Title>
      <Text c="dimmed">{errorMessage(error)}</Text>
      <Button onClick={() => location.reload()}>Reload</Button>
    </Stack>
  )
}
