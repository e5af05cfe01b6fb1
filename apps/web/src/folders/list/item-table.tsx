import { type DragEvent, memo, type RefObject, useRef } from 'react'
import { Link, useNavigate } from 'react-router'
import { useMedia } from '../../shell/first-render.ts'
import { IconArrowDown, IconArrowUp } from '../../shell/icons.ts'
import { SolveLink } from '../../solve-state/solve-badge.tsx'
import { dropTarget, startDrag } from '../items/drag-items.ts'
import type { BulkItem } from '../items/folder-changes.ts'
import { useBulk } from './bulk-changes.tsx'
import {
  DocumentSize,
  describeItem,
  FavouriteButton,
  ItemPicture,
  ItemTime,
  MenuButton,
  PublicIcon,
  SelectBox,
  ThreadsMark,
} from './item-parts.tsx'
import styles from './list.module.css'
import {
  addressOf,
  findTimeKey,
  type ListItem,
  type ShownSort,
  SORT_LABELS,
  type SortKey,
  type TimeKey,
  timeOf,
} from './list-items.ts'
import { useListKeys } from './use-list-keys.ts'
import type { Selection } from './use-selection.ts'
import { useWindowRows, WHOLE_LIST } from './use-window-rows.ts'

export interface ItemsProps {
  items: readonly ListItem[]
  teamId: string
  mayEdit: boolean
  /** Whether documents show their sizes. */
  showsSize: boolean
  selection: Selection
  /** Puts what is selected into the bin. */
  onDelete: () => void
}

/**
 * The height of a line in pixels. A phone has the state below the name, lists of several folders have the folder there, and
 * fingers need more room.
 */
function findRowHeight({
  isWide,
  isCoarse,
  hasFolders,
}: Record<'isWide' | 'isCoarse' | 'hasFolders', boolean>) {
  if (isCoarse) return (isWide ? 46 : 92) + (hasFolders ? 44 : 0)
  return (isWide ? 45 : 66) + (hasFolders ? 12 : 0)
}

/** The items as lines of a table. Of a long list, only those near the window are in the page. */
export function ItemTable({
  sort,
  onSort,
  ...props
}: ItemsProps & { sort: ShownSort; onSort: ((key: SortKey) => void) | undefined }) {
  const { items, selection } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const isWide = useMedia('(min-width: 48em)')
  const isCoarse = useMedia('(pointer: coarse)')
  const hasFolders = items.some(({ folder }) => folder !== undefined)
  const height = findRowHeight({ isWide, isCoarse, hasFolders })
  const rows = useWindowRows(body, { count: items.length, height, isWhole: items.length <= WHOLE_LIST })
  const handlers = useRows(props, body, rows.scrollTo)
  const columns = { sort, onSort }
  const timeKey = findTimeKey(sort)
  return (
    <table
      className={styles.table}
      style={{ '--row-height': `${height}px` } as React.CSSProperties}
      aria-label="Contents"
      aria-rowcount={items.length + 1}
    >
      <thead>
        <tr aria-rowindex={1}>
          <th className={styles.checkCell}>
            <label className={styles.check}>
              <input
                type="checkbox"
                aria-label="Select all"
                checked={items.length > 0 && selection.items.length === items.length}
                ref={(box) => {
                  if (box)
                    box.indeterminate = selection.items.length > 0 && selection.items.length < items.length
                }}
                onChange={({ currentTarget }) =>
                  currentTarget.checked ? selection.all() : selection.clear()
                }
              />
            </label>
          </th>
          <SortableHead {...columns} sortKey="name" />
          {isWide && <SortableHead {...columns} sortKey="state" className={styles.stateCell} />}
          <SortableHead {...columns} sortKey={timeKey} className={styles.timeCell} />
          <th className={styles.actionCell}>
            <span className={styles.hidden}>Actions</span>
          </th>
        </tr>
      </thead>
      <tbody ref={body}>
        {rows.before > 0 && <Gap height={rows.before} />}
        {items.slice(rows.from, rows.to).map((item, at) => (
          <ItemRow
            key={item.id}
            item={item}
            index={rows.from + at}
            isSelected={selection.ids.has(item.id)}
            teamId={props.teamId}
            mayEdit={props.mayEdit}
            isWide={isWide}
            timeKey={timeKey}
            showsSize={props.showsSize}
            handlers={handlers}
          />
        ))}
        {rows.after > 0 && <Gap height={rows.after} />}
      </tbody>
    </table>
  )
}

/** A row in place of those that are not in the page. */
const Gap = ({ height }: { height: number }) => (
  <tr aria-hidden className={styles.gap}>
    <td colSpan={5} style={{ height }} />
  </tr>
)

interface HeadProps {
  sort: ShownSort
  onSort: ((key: SortKey) => void) | undefined
  sortKey: ShownSort['key']
  className?: string | undefined
}

function SortableHead({ sort, onSort, sortKey, className }: HeadProps) {
  const isSorted = sort.key === sortKey
  const Arrow = sort.isDescending ? IconArrowDown : IconArrowUp
  const head = (
    <>
      {SORT_LABELS[sortKey]}
      {isSorted && <Arrow size={14} aria-hidden />}
    </>
  )
  return (
    <th
      className={className}
      {...(isSorted && { 'aria-sort': sort.isDescending ? 'descending' : 'ascending' })}
    >
      {onSort && sortKey !== 'opened' ? (
        <button type="button" className={styles.head} onClick={() => onSort(sortKey)}>
          {head}
        </button>
      ) : (
        head
      )}
    </th>
  )
}

/** What lines and cards do. It is the same object in every render, so that they are not drawn again. */
export interface RowHandlers {
  choose(index: number, how: 'only' | 'toggle' | 'range'): void
  drag(event: DragEvent, item: ListItem): void
  drop(items: BulkItem[], folderId: string): void
}

export function useRows(
  { items, mayEdit, selection, onDelete }: ItemsProps,
  list: RefObject<HTMLElement | null>,
  scrollTo: (index: number) => void,
  columns = 1,
): RowHandlers {
  const { move } = useBulk()
  useListKeys({
    ...{ items, selection, list, scrollTo, columns },
    ...(mayEdit && { onDelete }),
  })
  const latest = useRef<RowHandlers>(undefined)
  latest.current = {
    choose: selection.choose,
    drag: (event, item) => startDrag(event, selection.ids.has(item.id) ? selection.items : [item]),
    drop: (dropped, folderId) => void move(dropped, folderId),
  }
  const handlers = useRef<RowHandlers>({
    choose: (...all) => latest.current!.choose(...all),
    drag: (...all) => latest.current!.drag(...all),
    drop: (...all) => latest.current!.drop(...all),
  })
  return handlers.current
}

interface RowProps {
  item: ListItem
  index: number
  isSelected: boolean
  teamId: string
  mayEdit: boolean
  handlers: RowHandlers
}

/** The props of a line or card, which is selected with a click beside its links, and dragged. */
export function useItemProps({ item, index, isSelected, mayEdit, handlers, teamId }: RowProps) {
  const navigate = useNavigate()
  return {
    'data-index': index,
    'data-selected': isSelected || undefined,
    draggable: mayEdit,
    onDragStart: (event: DragEvent) => handlers.drag(event, item),
    onClick(event: React.MouseEvent) {
      if ((event.target as Element).closest('a, button, input, label, [role=dialog], [role=menu]')) return
      handlers.choose(index, event.shiftKey ? 'range' : event.ctrlKey || event.metaKey ? 'toggle' : 'only')
    },
    onDoubleClick(event: React.MouseEvent) {
      if (!(event.target as Element).closest('a, button, input, label, [role=dialog], [role=menu]'))
        void navigate(addressOf(item, teamId))
    },
    ...(mayEdit && item.kind === 'folder' && dropTarget(item.id, (items) => handlers.drop(items, item.id))),
  }
}

interface TableRowProps extends RowProps {
  isWide: boolean
  /** Which of its times the line shows. */
  timeKey: TimeKey
  showsSize: boolean
}

const ItemRow = memo(function ItemRow({ isWide, timeKey, showsSize, ...props }: TableRowProps) {
  const { item, index, isSelected, teamId, mayEdit, handlers } = props
  const itemProps = useItemProps(props)
  const state =
    item.kind === 'document' ? (
      <SolveLink documentId={item.id} summary={item.document} />
    ) : (
      <span className={styles.facts}>{describeItem(item)}</span>
    )
  const stateAndSize = showsSize ? (
    <span className={styles.state}>
      <DocumentSize item={item} />
      {state}
    </span>
  ) : (
    state
  )
  const at = timeOf(item, timeKey)
  return (
    <tr className={styles.row} aria-rowindex={index + 2} {...itemProps}>
      <td className={styles.checkCell}>
        <SelectBox item={item} isSelected={isSelected} onChoose={(how) => handlers.choose(index, how)} />
      </td>
      <td>
        <div className={styles.nameLine}>
          <ItemPicture item={item} size="row" />
          <div className={styles.nameColumn}>
            <Link to={addressOf(item, teamId)} className={styles.link} title={item.name} data-item-link>
              {item.name}
            </Link>
            {item.folder && (
              <Link to={`/teams/${teamId}/folders/${item.folder.id}`} className={styles.folder}>
                {item.folder.name}
              </Link>
            )}
            {!isWide && stateAndSize}
          </div>
          {item.kind === 'document' && <ThreadsMark threads={item.document.threads} />}
          {item.kind === 'document' && <PublicIcon visibility={item.document.visibility} />}
        </div>
      </td>
      {isWide && <td className={styles.stateCell}>{stateAndSize}</td>}
      <td className={styles.timeCell}>
        {at !== undefined && (
          <ItemTime
            at={at}
            by={item.kind === 'document' && timeKey === 'changed' ? item.document.changedBy?.name : undefined}
          />
        )}
      </td>
      <td className={styles.actionCell}>
        <div className={styles.actions}>
          <FavouriteButton item={item} />
          {mayEdit && <MenuButton item={item} teamId={teamId} />}
        </div>
      </td>
    </tr>
  )
})
