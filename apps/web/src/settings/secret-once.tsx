import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { findServiceAddress } from '../api/public-path.ts'
import { CopyLine } from '../shell/copy-line.tsx'

/** A secret that is shown this once: the server keeps only what it needs to recognise it. */
export function SecretOnce({ secret, close }: { secret: string; close: () => void }) {
  const line = `curl -H "Authorization: Bearer ${secret}" ${findServiceAddress()}/api/v1/folders/root`
  return (
    <Stack>
      <Alert color="yellow" title="Copy it now: it is not shown again." />
      <CopyLine text={secret} testId="secret" />
      <Text size="sm">Try it:</Text>
      <CopyLine text={line} />
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          I have it
        </Button>
      </Group>
    </Stack>
  )
}
