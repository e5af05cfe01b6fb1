import { Alert, Button, Menu, Text } from '@mantine/core'
import type { Unit } from '@meadow/contract'
import { type AppBody, type AppDocument, exportFromEditor, type SolveSummary } from '@meadow/contract/web'
import { useMutation } from '@tanstack/react-query'
import { call, errorMessage } from '../../api/call.ts'
import { IconAlertTriangle, IconBox, IconDownload, IconFileVector } from '../../shell/icons.ts'
import { describeGap } from '../../solve-state/describe-solve.ts'
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

export interface ExportItemsProps {
  exporting: Exporting
  summary: SolveSummary
  /** The unit of the solution's lengths; undefined without a solution. */
  units: Unit | undefined
  /** Opens the panel with what the solution lacks. */
  onShowState: () => void
}

/** The menu of the header that exports. */
export function ExportMenu(props: ExportItemsProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={14} />}
          loading={props.exporting.isPending}
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown maw="min(300px, calc(100vw - 16px))">
        <ExportItems {...props} />
      </Menu.Dropdown>
    </Menu>
  )
}

/** The formats. Before a model is exported, the user learns that the solution is not complete. */
export function ExportItems({ exporting, summary, units, onShowState }: ExportItemsProps) {
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
        <Menu.Item leftSection={<IconAlertTriangle size={16} />} c="violet" onClick={onShowState}>
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
