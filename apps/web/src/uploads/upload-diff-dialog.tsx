import { Button, Center, Group, Loader } from '@mantine/core'
import { previewUpload, readAppFile, readAppGraph, readAppStored } from '@meadow/contract/web'
import { diffDocuments } from '@meadow/diff'
import { useQuery } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { DiffView } from '../document/diff/diff-view.tsx'
import { storedOf } from '../document/diff/stored-of.ts'
import { Dialog } from '../shell/dialog.tsx'
import { Failure } from '../shell/failure.tsx'

export interface UploadDiffDialogProps {
  folderId: string
  file: File
  /** The document that the file would replace. */
  documentId: string
  name: string
  isOpen: boolean
  close: () => void
  replace: () => void
}

/** What a file would change in the document that it would replace, before it does. */
export function UploadDiffDialog({ isOpen, close, name, ...props }: UploadDiffDialogProps) {
  return (
    <Dialog
      opened={isOpen}
      onClose={close}
      title={`What would change in “${name}”`}
      fullScreen
      styles={{
        content: { display: 'flex', flexDirection: 'column' },
        body: { display: 'flex', flex: 1, flexDirection: 'column', minHeight: 0, padding: 0 },
      }}
    >
      <UploadDiff {...props} close={close} />
    </Dialog>
  )
}

function UploadDiff({
  folderId,
  file,
  documentId,
  close,
  replace,
}: Omit<UploadDiffDialogProps, 'isOpen' | 'name'>) {
  const query = useQuery({
    queryKey: [previewUpload.path, folderId, documentId, file.name, file.size, file.lastModified],
    queryFn: async ({ signal }) => {
      const [before, beforeFile, beforeStored, after] = await Promise.all([
        call(readAppGraph, { params: [documentId], signal }),
        call(readAppFile, { params: [documentId], signal }),
        call(readAppStored, { params: [documentId], signal }),
        call(previewUpload, {
          params: [folderId],
          query: { fileName: file.name },
          body: new Uint8Array(await file.arrayBuffer()),
          signal,
        }),
      ])
      return {
        before: { label: 'The document as it is now', content: before.graph, clusters: beforeFile.clusters },
        after: { label: file.name, content: after.graph, clusters: after.clusters },
        difference: diffDocuments(
          { ...before.graph, clusters: beforeFile.clusters, ...storedOf(beforeStored) },
          { ...after.graph, clusters: after.clusters, ...storedOf(after) },
        ),
      }
    },
    staleTime: 0,
    gcTime: 0,
    structuralSharing: false,
  })
  return (
    <>
      <div style={{ position: 'relative', flex: 1, minHeight: 0 }}>
        {query.isError && <Failure error={query.error} retry={query.refetch} />}
        {query.isPending && (
          <Center h="100%">
            <Loader aria-label="Reading the file" />
          </Center>
        )}
        {query.data && <DiffView {...query.data} />}
      </div>
      <Group justify="flex-end" p="sm">
        <Button variant="default" onClick={close}>
          Not now
        </Button>
        <Button color="red" onClick={replace}>
          Replace it
        </Button>
      </Group>
    </>
  )
}
