import { Affix, Paper } from '@mantine/core'
import type { AppDocument } from '@meadow/contract/web'
import { UploadList } from '../folders/upload-list.tsx'
import { useFolderDrop, useUploads } from '../folders/use-uploads.ts'

/** Files that are dropped on the page of a document are imported into its folder. Shows their uploads. */
export function DocumentUploads({ document }: { document: AppDocument }) {
  const folder = document.path.at(-1)
  const uploads = useUploads(folder?.id ?? '')
  useFolderDrop(uploads, {
    mayEdit: document.role !== 'viewer' && folder !== undefined,
    name: folder?.name,
  })
  if (uploads.list.length === 0) return null
  return (
    <Affix position={{ bottom: 16, left: 60 }} maw="calc(100vw - 76px)" w={420}>
      <Paper shadow="md" mah="50dvh" style={{ overflow: 'auto' }}>
        <UploadList uploads={uploads} />
      </Paper>
    </Affix>
  )
}
