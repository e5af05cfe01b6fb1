import { Button } from '@mantine/core'
import type { AppDocument } from '@meadow/contract/web'
import { IconShare } from '@tabler/icons-react'
import { useState } from 'react'
import { LazyShareDialog } from './lazy-share-dialog.tsx'

/** Opens the dialog that shows and changes who can open the document. */
export function ShareButton({ document }: { document: AppDocument }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconShare size={14} />}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        Share
      </Button>
      <LazyShareDialog
        documentId={document.id}
        name={document.name}
        isOpen={isOpen}
        close={() => setIsOpen(false)}
      />
    </>
  )
}
