import { Button, Code, CopyButton, Group, Modal, Tabs, Text } from '@mantine/core'
import type { AppDocument } from '@meadow/contract/web'
import { IconCode } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { findServiceAddress } from '../api/public-path.ts'
import { SCRIPT_LANGUAGES, writeScript } from './write-script.ts'

/** How a script reads exactly this document. */
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
            {SCRIPT_LANGUAGES.map(({ id, label }) => (
              <Tabs.Tab key={id} value={id}>
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {SCRIPT_LANGUAGES.map(({ id }) => {
            const text = writeScript(id, findServiceAddress(), document.id)
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
