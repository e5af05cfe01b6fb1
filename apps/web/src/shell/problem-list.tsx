import { Button, Group, Text } from '@mantine/core'
import { CopyButton } from './copy-button.tsx'
import { IconCheck, IconCopy } from './icons.ts'

/** How many problems are shown at once; all can be copied. */
const SHOWN = 5

/** What went wrong with several items, a line each. */
export function ProblemList({ lines }: { lines: readonly string[] }) {
  return (
    <>
      {lines.slice(0, SHOWN).map((line) => (
        <Text key={line} size="sm" c="red" className="long-text">
          {line}
        </Text>
      ))}
      {lines.length > 1 && (
        <Group gap="xs">
          <CopyButton value={lines.join('\n')}>
            {({ copied, copy }) => (
              <Button
                size="compact-xs"
                variant="default"
                leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
                onClick={copy}
              >
                {copied ? 'Copied' : `Copy all ${lines.length.toLocaleString('en')} errors`}
              </Button>
            )}
          </CopyButton>
        </Group>
      )}
    </>
  )
}
