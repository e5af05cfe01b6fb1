import { Alert, Button, Code, Group, Tabs, Text } from '@mantine/core'
import {
  EXAMPLE_LANGUAGES,
  type ExampleCall,
  type ExampleLanguage,
  writeExample,
} from '@meadow/contract/examples'
import type { AppDocument, SolveSummary } from '@meadow/contract/web'
import { Link } from 'react-router'
import { findServiceAddress } from '../../api/public-path.ts'
import { CopyButton } from '../../shell/copy-button.tsx'
import { Dialog } from '../../shell/dialog.tsx'
import { describeGap } from '../../solve-state/describe-solve.ts'

interface ScriptDialogProps {
  document: AppDocument
  summary: SolveSummary
  isOpen: boolean
  close: () => void
}

const CALLS: Record<ExampleLanguage, readonly ExampleCall[]> = {
  curl: ['readDocument', 'readSolution', 'requestExport'],
  powershell: ['readDocument', 'readSolution', 'requestExport'],
  python: ['readDocument', 'readSolution'],
  typescript: ['readDocument', 'readSolution'],
}

/** Shows scripts that read this document through the API. */
export function ScriptDialog({ document, summary, isOpen, close }: ScriptDialogProps) {
  const gap = describeGap(summary)
  return (
    <Dialog opened={isOpen} onClose={close} title="Read it from a script" size="lg">
      <Text size="sm" mb="sm">
        Put an API token into <Code>MEADOW_TOKEN</Code>
        {document.team && document.role !== 'viewer' && (
          <>
            {' '}
            (create one in the <Link to={`/teams/${document.team.id}/settings/tokens`}>team settings</Link>)
          </>
        )}
        . Reading spends no credits.
      </Text>
      {gap && (
        <Alert color="violet" p="xs" mb="sm">
          Scripts read what is solved. {gap} <Code>completeness</Code> in the solution has these counts.
        </Alert>
      )}
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List>
          {EXAMPLE_LANGUAGES.map(({ id, label }) => (
            <Tabs.Tab key={id} value={id}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {EXAMPLE_LANGUAGES.map(({ id }) => {
          const text = writeExample(id, {
            address: findServiceAddress(),
            calls: CALLS[id],
            documentId: document.id,
          })
          return (
            <Tabs.Panel key={id} value={id} pt="sm">
              <Code block tabIndex={0}>
                {text}
              </Code>
              <Group justify="flex-end" mt="sm">
                <CopyButton value={text}>
                  {({ copied, copy }) => (
                    <Button size="xs" variant="default" onClick={copy}>
                      {copied ? 'Copied' : 'Copy'}
                    </Button>
                  )}
                </CopyButton>
              </Group>
            </Tabs.Panel>
          )
        })}
      </Tabs>
    </Dialog>
  )
}
