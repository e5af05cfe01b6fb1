import { Alert, Button, Menu, Text } from '@mantine/core'
import { type AppBody, type AppDocument, exportFromEditor } from '@meadow/contract/web'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { call, errorMessage } from '../../api/call.ts'
import styles from './document-header.module.css'

const CHOICES: { label: string; body: AppBody<typeof exportFromEditor> }[] = [
  { label: 'Grasshopper definition (.gh)', body: { format: '.gh' } },
  { label: 'Rhino 8 model (.3dm)', body: { format: '.3dm', modelerVersion: '8' } },
  { label: 'Rhino 7 model (.3dm)', body: { format: '.3dm', modelerVersion: '7' } },
  { label: 'Rhino 9 model (.3dm)', body: { format: '.3dm', modelerVersion: '9' } },
]

/** Downloads the document, or the geometry of its solution. */
export function ExportMenu({ document }: { document: AppDocument }) {
  const make = useMutation({
    mutationFn: (body: AppBody<typeof exportFromEditor>) =>
      call(exportFromEditor, { params: [document.id], body }),
    onSuccess: ({ export: { url } }) => download(url),
  })
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconDownload size={14} />}
            loading={make.isPending}
          >
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {CHOICES.map(({ label, body }) => (
            <Menu.Item key={label} onClick={() => make.mutate(body)}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {make.isSuccess && make.data.export.warnings.length > 0 && (
        <Alert className={styles.alert} color="orange" role="status" withCloseButton onClose={make.reset}>
          {make.data.export.warnings.map((warning) => (
            <Text size="sm" key={warning}>
              {warning}
            </Text>
          ))}
        </Alert>
      )}
      {make.isError && (
        <Alert className={styles.alert} color="red" role="alert" withCloseButton onClose={make.reset}>
          <Text size="sm">{errorMessage(make.error)}</Text>
        </Alert>
      )}
    </>
  )
}

/** The response is an attachment, so the browser stays on the page. */
function download(url: string): void {
  location.assign(url)
}
