import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { findServiceAddress } from '../../api/public-path.ts'
import { CopyLine } from '../../shell/copy-line.tsx'

/** The secret of a new token. It cannot be shown again: the server stores only its hash. */
export function SecretOnce({ secret, close }: { secret: string; close: () => void }) {
  const command = `curl -H "Authorization: Bearer ${secret}" ${findServiceAddress()}/api/v1/folders/root`
  return (
    <Stack>
      <Alert color="yellow" title="Copy the token now. It is not shown again." />
      <CopyLine text={secret} testId="secret" />
      <Text size="sm">Try it:</Text>
      <CopyLine text={command} />
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          Done
        </Button>
      </Group>
    </Stack>
  )
}
