import { ActionIcon, Alert, Menu, Text } from '@mantine/core'
import { type AppBody, type AppDocument, exportFromEditor } from '@meadow/contract/web'
import { useMutation } from '@tanstack/react-query'
import { call, errorMessage } from '../../api/call.ts'
import {
  IconAlertTriangle,
  IconBox,
  IconCode,
  IconDots,
  IconFileVector,
  IconKeyboard,
} from '../../shell/icons.ts'
import { describeGap } from '../../solve-state/describe-solve.ts'
import { useEditor } from '../state/store.ts'
import type { Dock } from '../state/use-dock.ts'
import styles from './document-header.module.css'

const CHOICES: { label: string; body: AppBody<typeof exportFromEditor> }[] = [
  { label: 'Grasshopper definition (.gh)', body: { format: '.gh' } },
  { label: 'Rhino 8 model (.3dm)', body: { format: '.3dm', modelerVersion: '8' } },
  { label: 'Rhino 7 model (.3dm)', body: { format: '.3dm', modelerVersion: '7' } },
  { label: 'Rhino 9 model (.3dm)', body: { format: '.3dm', modelerVersion: '9' } },
]

type Exporting = ReturnType<typeof useExport>

/** Makes a file of a document, or of the geometry of its solution, and downloads it. */
export function useExport(document: AppDocument) {
  return useMutation({
    mutationFn: (body: AppBody<typeof exportFromEditor>) =>
      call(exportFromEditor, { params: [document.id], body }),
    // The response is an attachment, so the browser stays on the page.
    onSuccess: ({ export: { url } }) => location.assign(url),
  })
}

interface MoreMenuProps {
  dock: Dock
  exporting: Exporting
  open: (dialog: 'help' | 'script') => void
}

/** What is rarely needed of the header. Exports and scripts are for members. */
export function MoreMenu({ dock, exporting, open }: MoreMenuProps) {
  const { document } = useEditor()
  return (
    <Menu position="bottom-end" width="min(300px, calc(100vw - 16px))" shadow="md">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label="More">
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {document.role && (
          <>
            <Menu.Label>Export</Menu.Label>
            <ExportItems dock={dock} exporting={exporting} />
            <Menu.Divider />
            <Menu.Item leftSection={<IconCode size={16} />} onClick={() => open('script')}>
              Script
            </Menu.Item>
          </>
        )}
        <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={() => open('help')}>
          Keys and gestures
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** The formats. Before a model is exported, the user learns that the solution is not complete. */
function ExportItems({ dock, exporting }: Omit<MoreMenuProps, 'open'>) {
  const { summary, stored } = useEditor()
  const units = stored?.units
  const gap = describeGap(summary)
  return (
    <>
      {CHOICES.map(({ label, body }) => (
        <Menu.Item
          key={label}
          leftSection={body.format === '.gh' ? <IconFileVector size={16} /> : <IconBox size={16} />}
          onClick={() => exporting.mutate(body)}
        >
          {label}
        </Menu.Item>
      ))}
      {units && (
        <Menu.Label>
          {units === 'none' ? 'Models have no unit: the team has none' : `Models are in ${units}`}
        </Menu.Label>
      )}
      {gap && (
        <Menu.Item
          leftSection={<IconAlertTriangle size={16} />}
          c="violet"
          onClick={() => dock.open('state')}
        >
          <Text span size="sm" c="var(--mantine-color-text)">
            Models hold only what is solved. {gap}
          </Text>
        </Menu.Item>
      )}
    </>
  )
}

/** The warnings of the last export, or why it failed. */
export function ExportNotices({ exporting }: { exporting: Exporting }) {
  const warnings = exporting.data?.export.warnings ?? []
  return (
    <>
      {exporting.isPending && (
        <Alert className={styles.alert} color="gray" role="status">
          The file is being made …
        </Alert>
      )}
      {exporting.isSuccess && warnings.length > 0 && (
        <Alert
          className={styles.alert}
          color="orange"
          role="status"
          withCloseButton
          onClose={exporting.reset}
        >
          {warnings.map((warning) => (
            <Text size="sm" key={warning}>
              {warning}
            </Text>
          ))}
        </Alert>
      )}
      {exporting.isError && (
        <Alert className={styles.alert} color="red" role="alert" withCloseButton onClose={exporting.reset}>
          <Text size="sm">{errorMessage(exporting.error)}</Text>
        </Alert>
      )}
    </>
  )
}
