import { Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'

/** A secret that is shown this once: the server keeps only what it needs to recognise it. */
export function SecretOnce({ secret, close }: { secret: string; close: () => void }) {
  const line = `curl -H "Authorization: Bearer ${secret}" ${location.origin}/api/v1/folders/root`
  return (
    <Stack>
      <Alert color="yellow" title="Copy it now: it is not shown again." />
      <Group wrap="nowrap">
        <Code block flex={1} data-testid="secret" fz="sm">
          {secret}
        </Code>
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button
              onClick={copy}
              variant={copied ? 'light' : 'filled'}
              leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            >
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Text size="sm">Try it:</Text>
      <Code block>{line}</Code>
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          I have it
        </Button>
      </Group>
    </Stack>
  )
}
