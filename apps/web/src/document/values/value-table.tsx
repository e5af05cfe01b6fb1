import { ActionIcon, Button, CloseButton, Group, Loader, Menu, Text, TextInput, Tooltip } from '@mantine/core'
import type { PortReference } from '@meadow/contract'
import { writeCsv } from '@meadow/tables'
import {
  type KeyboardEvent,
  type MouseEvent,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { copyText } from '../../shell/copy-button.tsx'
import { count } from '../../shell/count.ts'
import { CSV, download, toFileName } from '../../shell/download.ts'
import { Failure } from '../../shell/failure.tsx'
import { IconCopy, IconDownload } from '../../shell/icons.ts'
import { notify } from '../../shell/notices.tsx'
import { loadValues, usePortValues, type ValueSource } from './port-values.ts'
import { useWindow } from './use-window.ts'
import {
  CSV_COLUMNS,
  createRows,
  isGeometry,
  listColumns,
  listCsvRows,
  orderRows,
  readFilter,
  type Sort,
  type ValueColumn,
  type ValueRows,
} from './value-rows.ts'
import styles from './value-table.module.css'

/** A value of a solution, as the 3D view finds its geometry. */
export interface ValueLocation extends PortReference {
  path: string
  index: number
}

export interface ValueTableProps {
  /** The names of the node and the port. */
  title: string
  port: PortReference
  source: ValueSource
  /** Shows the geometry of rows in the 3D view. */
  onHighlight: (values: readonly ValueLocation[]) => void
  close: () => void
}

/** The number of values that are loaded at once; the others are loaded on demand. */
const FIRST_VALUES = 20_000
/** The largest number of objects that the 3D view highlights at once. */
const MAX_HIGHLIGHTED = 5000

/** The values of a port as a table that can be sorted, filtered, copied and saved. */
export function ValueTable({ title, port, source, onHighlight, close }: ValueTableProps) {
  const [most, setMost] = useState(FIRST_VALUES)
  const { values, isLoading, progress, error, retry } = usePortValues(source, port, most)
  return (
    <section className={styles.frame} aria-label={`Values of ${title}`}>
      <Group justify="space-between" wrap="nowrap" gap="xs" px="sm" pt={6}>
        <Text fw={600} size="sm" truncate>
          Values of {title}
        </Text>
        <CloseButton aria-label="Close the values" onClick={close} />
      </Group>
      {error && !values && <Failure error={error} retry={retry} />}
      {isLoading && !values && (
        <Group p="sm" gap="xs">
          <Loader size="xs" />
          <Text size="sm">{progress.toLocaleString()} values are loaded</Text>
        </Group>
      )}
      {values && (
        <Rows
          key={`${port.nodeInstanceId} ${port.portInstanceId}`}
          values={values}
          port={port}
          onHighlight={onHighlight}
          loadAll={values.loaded < values.total ? () => setMost(Number.MAX_SAFE_INTEGER) : undefined}
          isLoading={isLoading}
          progress={progress}
          save={(rows, order) => saveRows(title, rows, order)}
          saveAll={async () => {
            const all =
              values.loaded < values.total
                ? await loadValues(
                    source,
                    port,
                    Number.MAX_SAFE_INTEGER,
                    AbortSignal.timeout(600_000),
                    () => {},
                  )
                : values
            const rows = createRows(all)
            saveRows(
              title,
              rows,
              Array.from({ length: rows.count }, (_, row) => row),
            )
          }}
        />
      )}
    </section>
  )
}

const saveRows = (title: string, rows: ValueRows, order: Iterable<number>) =>
  download(`${toFileName(title)}.csv`, [...writeCsv(CSV_COLUMNS, listCsvRows(rows, order))], CSV)

interface RowsProps {
  values: NonNullable<ReturnType<typeof usePortValues>['values']>
  port: PortReference
  onHighlight: (values: readonly ValueLocation[]) => void
  /** Loads the other values; undefined when all are loaded. */
  loadAll: (() => void) | undefined
  isLoading: boolean
  progress: number
  save: (rows: ValueRows, order: Iterable<number>) => void
  saveAll: () => Promise<void>
}

function Rows({ values, port, onHighlight, loadAll, isLoading, progress, save, saveAll }: RowsProps) {
  const [typed, setTyped] = useState('')
  const filter = useDeferredValue(typed)
  const [sort, setSort] = useState<Sort>()
  const rows = useMemo(() => createRows(values), [values])
  const columns = useMemo(() => listColumns(rows), [rows])
  const order = useMemo(
    () => orderRows(rows, columns, readFilter(filter, rows), sort),
    [rows, columns, filter, sort],
  )
  const { nodeInstanceId, portInstanceId } = port
  /** The number of selected rows with geometry. */
  const [withGeometry, setWithGeometry] = useState(0)
  const selection = useSelection(order, (selected) => {
    const drawn = selected.filter((row) => isGeometry(rows.valueOf(row)))
    setWithGeometry(drawn.length)
    onHighlight(
      drawn
        .slice(0, MAX_HIGHLIGHTED)
        .map((row) => ({ nodeInstanceId, portInstanceId, path: rows.pathOf(row), index: rows.indexOf(row) })),
    )
  })
  const copy = () => {
    const chosen = order.filter((row) => selection.rows.size === 0 || selection.rows.has(row))
    const names = columns.map(({ name }) => ({ name, type: 'text' as const }))
    const cells = Array.from(chosen, (row) => columns.map(({ text }) => text(row) ?? 'null'))
    void copyText([...writeCsv(names, cells, { delimiter: '\t' })].join(''))
  }
  return (
    <>
      <Group px="sm" py={4} gap="xs" wrap="nowrap">
        <TextInput
          size="xs"
          flex={1}
          maw={320}
          aria-label="Filter"
          placeholder="Text, > 5, 1..5, {0;1} or null"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Tooltip label={selection.rows.size > 0 ? 'Copy the selected rows' : 'Copy these rows'}>
          <ActionIcon variant="default" size={30} aria-label="Copy rows" onClick={copy}>
            <IconCopy size={16} />
          </ActionIcon>
        </Tooltip>
        <Menu position="bottom-end">
          <Menu.Target>
            <Tooltip label="Download as CSV">
              <ActionIcon variant="default" size={30} aria-label="Download as CSV">
                <IconDownload size={16} />
              </ActionIcon>
            </Tooltip>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => void saveAll().catch(notify)}>
              All {values.total.toLocaleString()} values
            </Menu.Item>
            <Menu.Item onClick={() => save(rows, order)}>
              These {order.length.toLocaleString()} rows, in this order
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
      <Grid
        rows={rows}
        columns={columns}
        order={order}
        sort={sort}
        onSort={setSort}
        selection={selection}
        onCopy={copy}
      />
      <Group px="sm" py={4} gap="xs">
        <Text size="xs" c="dimmed" role="status">
          {describeCounts(values, order.length, { selected: selection.rows.size, withGeometry })}
        </Text>
        {loadAll && (
          <Button size="compact-xs" variant="light" loading={isLoading} onClick={loadAll}>
            Load all {values.total.toLocaleString()}
          </Button>
        )}
        {loadAll && isLoading && (
          <Text size="xs" c="dimmed">
            {progress.toLocaleString()} are loaded
          </Text>
        )}
      </Group>
    </>
  )
}

function describeCounts(
  values: RowsProps['values'],
  shown: number,
  { selected, withGeometry }: { selected: number; withGeometry: number },
): string {
  const { total, loaded, nulls, branches, branchCount } = values
  const empty = branches.filter((branch) => branch.values.length === 0).length
  const parts = [
    shown === total
      ? `${count(total, 'value')} in ${count(branchCount, 'branch', 'branches')}`
      : `${shown.toLocaleString()} of ${count(total, 'value')}`,
    loaded < total && `only the first ${loaded.toLocaleString()} are loaded, sorted and filtered`,
    nulls > 0 && `${nulls.toLocaleString()} null`,
    empty > 0 && count(empty, 'empty branch', 'empty branches'),
    selected > 0 && `${selected.toLocaleString()} selected`,
    withGeometry > MAX_HIGHLIGHTED &&
      `the 3D view shows the first ${MAX_HIGHLIGHTED.toLocaleString()} of them`,
  ]
  return parts.filter(Boolean).join(' · ')
}

interface Selection {
  rows: ReadonlySet<number>
  /** The position of the row that the keys start from. */
  at: number
  /** Selects the row at a position; `toggle` adds or removes it, `extend` all from the last one on. */
  select: (position: number, how?: 'extend' | 'toggle') => void
  selectAll: () => void
}

function useSelection(order: Uint32Array, onChange: (rows: number[]) => void): Selection {
  const [rows, setRows] = useState<ReadonlySet<number>>(new Set())
  const [at, setAt] = useState(-1)
  const anchor = useRef(0)
  const choose = (next: ReadonlySet<number>) => {
    setRows(next)
    onChange([...next])
  }
  return {
    rows,
    at,
    select(position, how) {
      if (position < 0 || position >= order.length) return
      setAt(position)
      const row = order[position]!
      if (how === 'extend') {
        const [from, to] = [Math.min(anchor.current, position), Math.max(anchor.current, position)]
        choose(new Set(order.subarray(from, to + 1)))
        return
      }
      anchor.current = position
      if (how !== 'toggle') choose(new Set([row]))
      else choose(rows.has(row) ? rows.difference(new Set([row])) : new Set([...rows, row]))
    },
    selectAll: () => choose(new Set(order)),
  }
}

interface GridProps {
  rows: ValueRows
  columns: readonly ValueColumn[]
  order: Uint32Array
  sort: Sort | undefined
  onSort: (sort: Sort | undefined) => void
  selection: Selection
  onCopy: () => void
}

function Grid({ rows, columns, order, sort, onSort, selection, onCopy }: GridProps) {
  const view = useWindow(order.length)
  const { scrollTo } = view
  useEffect(() => {
    if (selection.at >= 0) scrollTo(selection.at)
  }, [selection.at, scrollTo])
  const template = columns
    .map(({ name, isNumeric }) => {
      if (name === 'Value' && !isNumeric) return 'minmax(100px, 4fr)'
      // The usual columns of geometry fit a phone.
      return name === 'Index' ? 'minmax(56px, 1fr)' : 'minmax(68px, 1fr)'
    })
    .join(' ')
  const onKeyDown = (event: KeyboardEvent) => {
    const isCommand = event.ctrlKey || event.metaKey
    const how = event.shiftKey ? 'extend' : undefined
    const moves: Record<string, number> = {
      ArrowDown: selection.at + 1,
      ArrowUp: selection.at - 1,
      PageDown: Math.min(selection.at + view.pageRows, order.length - 1),
      PageUp: Math.max(selection.at - view.pageRows, 0),
      Home: 0,
      End: order.length - 1,
    }
    if (isCommand && event.key === 'a') selection.selectAll()
    else if (isCommand && event.key === 'c') onCopy()
    else if (!isCommand && event.key in moves) selection.select(moves[event.key]!, how)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const onClick = (event: MouseEvent, position: number) =>
    selection.select(
      position,
      event.shiftKey ? 'extend' : event.ctrlKey || event.metaKey ? 'toggle' : undefined,
    )
  return (
    <div ref={view.ref} className={styles.scroller} onScroll={view.onScroll}>
      <table
        className={styles.grid}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its rows are selected, by keys too.
        role="grid"
        aria-label="Values"
        aria-rowcount={order.length + 1}
        aria-multiselectable
        {...(selection.at >= 0 && { 'aria-activedescendant': `value-row-${selection.at}` })}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <thead>
          <tr className={styles.head} aria-rowindex={1} style={{ gridTemplateColumns: template }}>
            {columns.map((column) => (
              <Head key={column.name} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody style={{ height: view.height }}>
          {view.positions.map((position) => {
            const row = order[position]!
            return (
              <tr
                key={position}
                id={`value-row-${position}`}
                aria-rowindex={position + 2}
                aria-selected={selection.rows.has(row)}
                className={styles.row}
                style={{ gridTemplateColumns: template, top: view.topOf(position) }}
                onClick={(event) => onClick(event, position)}
              >
                {columns.map(({ name, isNumeric, text }) => (
                  <Cell
                    key={name}
                    text={text(row)}
                    isNull={rows.valueOf(row) === null}
                    isNumeric={isNumeric}
                  />
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function Head({ column, sort, onSort }: { column: ValueColumn } & Pick<GridProps, 'sort' | 'onSort'>) {
  const { name, isNumeric } = column
  const isSorted = sort?.column === name
  const direction = isSorted ? (sort.isDescending ? 'descending' : 'ascending') : 'none'
  return (
    <th scope="col" aria-sort={direction} data-numeric={isNumeric || undefined}>
      <button
        type="button"
        className={styles.sort}
        onClick={() =>
          onSort(isSorted && sort.isDescending ? undefined : { column: name, isDescending: isSorted })
        }
      >
        {name}
        {isSorted && <span aria-hidden>{sort.isDescending ? ' ↓' : ' ↑'}</span>}
      </button>
    </th>
  )
}

function Cell({ text, isNull, isNumeric }: { text: string | null; isNull: boolean; isNumeric: boolean }) {
  const isAbsent = text === null || text === ''
  return (
    <td
      className={styles.cell}
      data-numeric={isNumeric || undefined}
      data-absent={isAbsent || undefined}
      title={text ?? undefined}
    >
      {text === null ? (isNull ? 'null' : '–') : text === '' ? 'empty text' : text}
    </td>
  )
}
