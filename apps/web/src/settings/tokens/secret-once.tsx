import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { findServiceAddress } from '../../api/public-path.ts'
import { CopyLine } from '../../shell/copy-line.tsx'

/** The secret of a new token. It cannot be shown again: the server stores only its hash. */
export function SecretOnce({ secret, close }: { secret: string; close: () => void }) {
  const address = findServiceAddress()
  const downloads = `${address}/downloads/`
  const command = `curl -H "Authorization: Bearer ${secret}" ${address}/api/v1/folders/root`
  const variables = `MEADOW_URL=${address} MEADOW_TOKEN=${secret}`
  return (
    <Stack>
      <Alert color="yellow" title="Copy the token now. It is not shown again." />
      <CopyLine text={secret} testId="secret" />
      <Text size="sm">Try it:</Text>
      <CopyLine text={command} />
      <Text size="sm">With the command meadow, which comes from this server and needs Node 20 or newer:</Text>
      <CopyLine text={`${variables} npx -y ${downloads}meadow.tgz tree`} testId="npx" />
      <Text size="sm">
        There are also{' '}
        <Anchor href={downloads} size="sm" underline="always">
          lines for TypeScript, Python and AI agents
        </Anchor>
        .
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          Done
        </Button>
      </Group>
    </Stack>
  )
}
