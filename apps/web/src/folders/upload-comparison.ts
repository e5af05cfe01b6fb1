import { type ComponentType, createContext } from 'react'

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

/** How documents are compared with files. Not imported here: the editor, which compares, imports this folder. */
export interface UploadComparison {
  /** What a file would change. */
  DiffDialog: ComponentType<UploadDiffDialogProps>
  /** Leads to what a file has changed in a document that it replaced. */
  CompareWithBefore: ComponentType<{ documentId: string }>
}

export const UploadComparisonContext = createContext<UploadComparison | undefined>(undefined)
