import { Button, Code, CopyButton, Group, Modal, Tabs, Text } from '@mantine/core'
import type { AppDocument } from '@meadow/contract/web'
import { IconCode } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { findServiceAddress } from '../../api/public-path.ts'

const SCRIPT_LANGUAGES = [
  { id: 'curl', label: 'curl' },
  { id: 'python', label: 'Python' },
  { id: 'typescript', label: 'TypeScript' },
] as const

type ScriptLanguage = (typeof SCRIPT_LANGUAGES)[number]['id']

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
      </Modal>
    </>
  )
}

/** A script that reads a document and its solution, and requests an export, with the token in `MEADOW_TOKEN`. */
function writeScript(language: ScriptLanguage, origin: string, documentId: string): string {
  const document = `${origin}/api/v1/documents/${documentId}`
  switch (language) {
    case 'curl':
      return `curl -H "Authorization: Bearer $MEADOW_TOKEN" ${document}
curl -H "Authorization: Bearer $MEADOW_TOKEN" ${document}/solution
curl -H "Authorization: Bearer $MEADOW_TOKEN" "${document}/export?format=.gh"`
    case 'python':
      return `import os, requests

api = requests.Session()
api.headers["Authorization"] = f"Bearer {os.environ['MEADOW_TOKEN']}"
url = "${document}"

document = api.get(url).json()["document"]
solution = api.get(f"{url}/solution")
if solution.ok and solution.status_code != 202:
    data = solution.json()["data"]
    for node_id, ports in data.items():
        if node_id != "solutionId":
            print(document["nodes"][node_id]["nickName"], ports)`
    case 'typescript':
      return `const headers = { Authorization: \`Bearer \${process.env.MEADOW_TOKEN}\` }
const url = '${document}'

const { document } = await (await fetch(url, { headers })).json()
const answer = await fetch(\`\${url}/solution\`, { headers })
if (answer.status === 200) {
  const { data, messages } = await answer.json()
  console.log(document.name, data, messages)
}`
  }
}
