import type { Upload } from '@meadow/contract/web'

/** The page of what an upload became. */
export const addressOf = ({ documentId, fileId }: Pick<Upload, 'documentId' | 'fileId'>): string =>
  fileId === null ? `/documents/${documentId}` : `/files/${fileId}`
