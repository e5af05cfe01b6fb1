import { Button, Code, CopyButton, Group, Modal, Tabs, Text } from '@mantine/core'
import {
  EXAMPLE_LANGUAGES,
  type ExampleCall,
  type ExampleLanguage,
  writeExample,
} from '@meadow/contract/examples'
import type { AppDocument } from '@meadow/contract/web'
import { IconCode } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { findServiceAddress } from '../../api/public-path.ts'

const CALLS: Record<ExampleLanguage, readonly ExampleCall[]> = {
  curl: ['readDocument', 'readSolution', 'requestExport'],
  powershell: ['readDocument', 'readSolution', 'requestExport'],
  python: ['readDocument', 'readSolution'],
  typescript: ['readDocument', 'readSolution'],
}

/** Shows scripts that read this document through the API. */
export function ScriptButton({ document }: { document: AppDocument }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconCode size={14} />}
        onClick={() => setIsOpen(true)}
        visibleFrom="sm"
      >
        Script
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        title="Read it from a script"
        size="lg"
        centered
      >
        <Text size="sm" mb="sm">
          Put an API token into <Code>MEADOW_TOKEN</Code>
          {document.role && document.role !== 'viewer' && (
            <>
              {' '}
              (make one in the <Link to={`/teams/${document.team.id}/settings/tokens`}>team settings</Link>)
            </>
          )}
          . Reading spends no credits.
        </Text>
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
                <Code block>{text}</Code>
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
      </Modal>
    </>
  )
}
