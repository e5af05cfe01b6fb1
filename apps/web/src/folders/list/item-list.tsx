import {
  Button,
  type ButtonProps,
  CloseButton,
  type ElementProps,
  Group,
  Menu,
  Paper,
  Text,
} from '@mantine/core'
import { type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import {
  type Icon,
  IconDownload,
  IconFolderShare,
  IconPlayerPlay,
  IconStar,
  IconTrash,
} from '../../shell/icons.ts'
import { useMe } from '../../shell/use-me.ts'
import { MoveDialog } from '../items/move-dialog.tsx'
import { SolveDialog } from '../items/solve-dialog.tsx'
import { BulkState, useBulk } from './bulk-changes.tsx'
import { nextSort } from './filter-bar.tsx'
import { ItemGrid } from './item-grid.tsx'
import { ItemTable } from './item-table.tsx'
import styles from './list.module.css'
import { BY_OPENED, filterByName, type ListItem, sortItems } from './list-items.ts'
import { type Selection, useSelection } from './use-selection.ts'
import { WHOLE_LIST } from './use-window-rows.ts'
import { useViewPreferences, type ViewPreferences } from './view-preferences.ts'

/** What a list shows, and how: shared by the folder page and the personal lists. */
export function useList(all: readonly ListItem[], { isSortable }: { isSortable: boolean }) {
  const { person } = useMe()
  const [preferences, setPreferences] = useViewPreferences(person.id)
  const [text, setText] = useState('')
  const textField = useRef<HTMLInputElement>(null)
  const wanted = useDeferredValue(text)
  const { sort } = preferences
  const sorted = useMemo(() => (isSortable ? sortItems(all, sort) : all), [all, sort, isSortable])
  const items = useMemo(() => filterByName(sorted, wanted), [sorted, wanted])
  const selection = useSelection(items)
  useFindKey(textField, items.length > WHOLE_LIST)
  return { items, selection, preferences, setPreferences, text, setText, textField, isSortable }
}

/**
 * The browser's own search does not find what is not in the page. In a long list its key leads to the field that filters by
 * name; pressed there again, it is the browser's.
 */
function useFindKey(field: React.RefObject<HTMLInputElement | null>, isLong: boolean): void {
  useEffect(() => {
    if (!isLong) return
    const stop = new AbortController()
    const find = (event: KeyboardEvent) => {
      const isFind = (event.ctrlKey || event.metaKey) && event.key === 'f'
      if (!isFind || document.activeElement === field.current || !field.current) return
      event.preventDefault()
      field.current.focus()
      field.current.select()
    }
    addEventListener('keydown', find, { signal: stop.signal })
    return () => stop.abort()
  }, [field, isLong])
}

/** The items as lines or cards, with what can be done with those that are selected. */
export function ItemList({
  list: { items, selection, preferences, setPreferences, isSortable },
  teamId,
  mayEdit,
  empty,
}: {
  list: ReturnType<typeof useList>
  teamId: string
  mayEdit: boolean
  /** What is shown when there are no items. */
  empty: ReactNode
}) {
  const { bin } = useBulk()
  const remove = async () => selection.keep(await bin(selection.items))
  const { sort, view }: ViewPreferences = preferences
  const showsSize = isSortable && sort.key === 'size'
  const props = { items, teamId, mayEdit, selection, showsSize, onDelete: () => void remove() }
  return (
    <>
      <div className={styles.bar}>
        <BulkState />
        {selection.items.length > 0 && (
          <SelectionBar
            selection={selection}
            teamId={teamId}
            mayEdit={mayEdit}
            remove={() => void remove()}
          />
        )}
      </div>
      {items.length === 0 ? (
        empty
      ) : view === 'grid' ? (
        <ItemGrid {...props} />
      ) : (
        <ItemTable
          {...props}
          sort={isSortable ? sort : BY_OPENED}
          onSort={isSortable ? (key) => setPreferences({ sort: nextSort(sort, key) }) : undefined}
        />
      )}
    </>
  )
}

function SelectionBar({
  selection,
  teamId,
  mayEdit,
  remove,
}: {
  selection: Selection
  teamId: string
  mayEdit: boolean
  remove: () => void
}) {
  const { favour, move, solve, download, run } = useBulk()
  const [open, setOpen] = useState<'move' | 'solve'>()
  const close = () => setOpen(undefined)
  const { items } = selection
  const documents = items.filter(({ kind }) => kind === 'document')
  const isMarked = items.every(({ isFavourite }) => isFavourite)
  const isBusy = run?.isRunning ?? false
  const number = items.length.toLocaleString('en')
  return (
    <Paper withBorder p={6} component="section" aria-label="Selected items">
      <Group gap={6}>
        <CloseButton size="sm" aria-label="Select nothing" onClick={selection.clear} />
        <Text size="sm" fw={600} role="status" mr="auto">
          {number} selected
        </Text>
        <BarButton
          icon={IconStar}
          label={isMarked ? 'Remove from favourites' : 'Favourite'}
          disabled={isBusy}
          onClick={() => void favour(items, !isMarked)}
        />
        {documents.length > 0 && (
          <Menu position="bottom-end">
            <Menu.Target>
              <BarButton icon={IconDownload} label="Download" disabled={isBusy} />
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => void download(documents, '.gh')}>Definitions (.gh)</Menu.Item>
              <Menu.Item onClick={() => void download(documents, '.3dm')}>Models (.3dm)</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
        {mayEdit && (
          <>
            {documents.length > 0 && (
              <BarButton
                icon={IconPlayerPlay}
                label="Solve"
                disabled={isBusy}
                onClick={() => setOpen('solve')}
              />
            )}
            <BarButton
              icon={IconFolderShare}
              label="Move"
              disabled={isBusy}
              onClick={() => setOpen('move')}
            />
            <BarButton
              icon={IconTrash}
              label="Delete"
              variant="light"
              color="red"
              disabled={isBusy}
              onClick={remove}
            />
          </>
        )}
      </Group>
      <MoveDialog
        title={items.length === 1 ? `Move “${items[0]!.name}”` : `Move ${number} items`}
        move={async (folderId) => {
          close()
          selection.keep(await move(items, folderId))
        }}
        teamId={teamId}
        isOpen={open === 'move'}
        close={close}
      />
      <SolveDialog
        teamId={teamId}
        documents={documents}
        isOpen={open === 'solve'}
        close={close}
        solve={async () => {
          close()
          await solve(documents)
        }}
      />
    </Paper>
  )
}

interface BarButtonProps extends ButtonProps, ElementProps<'button', keyof ButtonProps> {
  icon: Icon
  label: string
}

/** A button of the bar: in a narrow window its icon alone, so that the bar is one line. */
const BarButton = ({ icon: Icon, label, ...props }: BarButtonProps) => (
  <Button size="compact-sm" variant="default" aria-label={label} {...props}>
    <Icon size={14} aria-hidden />
    <Text span inherit ml={8} visibleFrom="sm">
      {label}
    </Text>
  </Button>
)
