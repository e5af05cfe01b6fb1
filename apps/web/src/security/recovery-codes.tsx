import { Button, Group, Modal, Text } from '@mantine/core'
import { CopyLine } from '../shell/copy-line.tsx'

/** Shows new recovery codes, once. */
export function RecoveryCodes({ codes, close }: { codes: readonly string[]; close: () => void }) {
  return (
    <Modal opened onClose={close} title="Your recovery codes" closeOnClickOutside={false}>
      <Text size="sm" mb="sm">
        Each of them completes one sign-in when you do not have your second factor at hand. Store them in a
        safe place now: they are not shown again.
      </Text>
      <CopyLine text={codes.join('\n')} testId="recovery-codes" />
      <Group justify="flex-end" mt="lg">
        <Button onClick={close}>I have stored them</Button>
      </Group>
    </Modal>
  )
}
