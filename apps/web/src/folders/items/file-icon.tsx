import { type FileKind, type FileSummary, readFileThumbnail } from '@meadow/contract/web'
import { useState } from 'react'
import { urlOf } from '../../api/call.ts'
import { IconBox, IconComponents, IconFileInfo, IconPuzzle } from '../../shell/icons.ts'
import styles from './file-icon.module.css'

/** The kinds of files as they are named in lists. */
export const KIND_NAMES: Readonly<Record<FileKind, string>> = {
  model: 'Model',
  user_object: 'User object',
  cluster: 'Cluster',
  text: 'Text',
  csv: 'Table',
}

const ICONS = {
  model: IconBox,
  user_object: IconPuzzle,
  cluster: IconComponents,
  text: IconFileInfo,
  csv: IconFileInfo,
}

/** The picture of a file in a list, or the icon of its kind. */
export function FileIcon({ file }: { file: Pick<FileSummary, 'id' | 'kind' | 'hasThumbnail'> }) {
  const [isBroken, setIsBroken] = useState(false)
  if (!file.hasThumbnail || isBroken) {
    const Icon = ICONS[file.kind]
    return <Icon size={18} aria-hidden className={styles.icon} />
  }
  return (
    <img
      src={urlOf(readFileThumbnail, [file.id])}
      alt=""
      loading="lazy"
      className={file.kind === 'model' ? styles.picture : styles.small}
      onError={() => setIsBroken(true)}
    />
  )
}
