import { formatBytes } from '@meadow/contract'
import type { ListedDocument, Sharing } from '@meadow/contract/web'
import { useState } from 'react'
import { SHARED_MARKS } from '../../sharing/public-mark.tsx'
import { count } from '../../shell/count.ts'
import { formatExact, formatSince } from '../../shell/format-time.ts'
import { IconDots, IconFolder, IconMessage, IconStar, IconStarFilled, IconWorld } from '../../shell/icons.ts'
import { FileIcon, KIND_NAMES } from '../items/file-icon.tsx'
import { ItemMenu } from '../items/item-menu.tsx'
import { Thumbnail } from '../items/thumbnail.tsx'
import { useBulk } from './bulk-changes.tsx'
import styles from './list.module.css'
import type { ListItem } from './list-items.ts'

/*
 * The parts of lines and cards. They are plain elements where the components of the library would do more than is needed:
 * dozens of them are made in a frame while a long list scrolls.
 */

/** The picture of an item, or its icon. */
export function ItemPicture({ item, size }: { item: ListItem; size: 'row' | 'card' }) {
  if (item.kind === 'document') return <Thumbnail documentId={item.id} summary={item.document} size={size} />
  return (
    <span className={size === 'row' ? styles.rowIcon : styles.cardIcon}>
      {item.kind === 'file' ? (
        <FileIcon file={item.file} />
      ) : (
        <IconFolder size={size === 'row' ? 18 : 48} aria-hidden className={styles.icon} />
      )}
    </span>
  )
}

export function PublicIcon({ visibility }: { visibility: Sharing }) {
  if (visibility === 'private') return null
  const { name, title } = SHARED_MARKS[visibility]
  return (
    <span className={styles.public} title={title}>
      <IconWorld size={12} aria-hidden /> {name}
    </span>
  )
}

/** How many threads of comments are open, and whether some of them have unread comments. */
export function ThreadsMark({ threads: { open, unread } }: { threads: ListedDocument['threads'] }) {
  if (open === 0) return null
  const name = `${count(open, 'open thread')}${unread > 0 ? `, ${unread} unread` : ''}`
  return (
    <span className={styles.threads} data-unread={unread > 0 || undefined} title={name}>
      <IconMessage size={13} aria-hidden />
      <span aria-hidden>{open}</span>
      <span className={styles.hidden}>{name}</span>
    </span>
  )
}

/** How large a document is, in a list that is sorted by size. The line of a file has its size in any case. */
export function DocumentSize({ item }: { item: ListItem }) {
  if (item.kind !== 'document') return null
  const { sizeBytes } = item.document
  return <span className={styles.size}>{sizeBytes === null ? 'No size' : formatBytes(sizeBytes)}</span>
}

/** What a line says of an item that has no state. */
export function describeItem(item: Exclude<ListItem, { kind: 'document' }>): string {
  if (item.kind === 'file') return `${KIND_NAMES[item.file.kind]}, ${formatBytes(item.file.sizeBytes)}`
  if (item.count === undefined) return 'Folder'
  return count(item.count, 'item')
}

export function ItemTime({ at, by }: { at: string; by?: string | undefined }) {
  return (
    <>
      <time dateTime={at} title={formatExact(at)}>
        {formatSince(at)}
      </time>
      {by !== undefined && <span className={styles.by}>{by}</span>}
    </>
  )
}

export function SelectBox({
  item,
  isSelected,
  onChoose,
}: {
  item: ListItem
  isSelected: boolean
  onChoose: (how: 'toggle' | 'range') => void
}) {
  return (
    <label className={styles.check}>
      <input
        type="checkbox"
        aria-label={`Select ${item.name}`}
        checked={isSelected}
        onClick={(event) => onChoose(event.shiftKey ? 'range' : 'toggle')}
        onChange={() => {}}
      />
    </label>
  )
}

export function FavouriteButton({ item }: { item: Pick<ListItem, 'kind' | 'id' | 'name' | 'isFavourite'> }) {
  const { favour } = useBulk()
  const Icon = item.isFavourite ? IconStarFilled : IconStar
  return (
    <button
      type="button"
      className={styles.button}
      data-favourite={item.isFavourite || undefined}
      aria-label={`Favourite: ${item.name}`}
      aria-pressed={item.isFavourite}
      title={item.isFavourite ? 'Remove from your favourites' : 'Add to your favourites'}
      onClick={() => void favour([item], !item.isFavourite)}
    >
      <Icon size={16} aria-hidden />
    </button>
  )
}

/** The menu of an item is made when its button is pressed. */
export function MenuButton({ item, teamId }: { item: ListItem; teamId: string }) {
  const [isMade, setIsMade] = useState(false)
  if (isMade) return <ItemMenu item={item} teamId={teamId} isOpenAtFirst />
  return (
    <button
      type="button"
      className={styles.button}
      aria-label={`Actions for ${item.name}`}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setIsMade(true)}
    >
      <IconDots size={18} aria-hidden />
    </button>
  )
}
