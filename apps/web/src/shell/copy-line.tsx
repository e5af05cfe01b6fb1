import { Button, Code, Group, Menu } from '@mantine/core'
import { CopyButton } from './copy-button.tsx'
import { IconCheck, IconCopy } from './icons.ts'

/** A text with a button that copies it. */
export function CopyLine({ text, testId }: { text: string; testId?: string }) {
  return (
    <Group align="start" gap="xs">
      <Code block flex="1 1 220px" miw={0} fz="sm" className="wrapped-code" data-testid={testId}>
        {text}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button
            flex="none"
            variant="default"
            leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            onClick={copy}
          >
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}

/** The item of a menu that copies a link to what the menu is about. */
export const CopyLinkItem = ({ link }: { link: string }) => (
  <CopyButton value={link}>
    {({ copied, copy }) => (
      <Menu.Item onClick={copy} closeMenuOnClick={false}>
        {copied ? 'The link is copied' : 'Copy a link to it'}
      </Menu.Item>
    )}
  </CopyButton>
)
