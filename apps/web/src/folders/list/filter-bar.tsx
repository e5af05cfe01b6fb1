import {
  Button,
  CloseButton,
  Group,
  Menu,
  Popover,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  TextInput,
} from '@mantine/core'
import {
  type AppFolder,
  type FolderFilters,
  NARROWING_FILTERS,
  type NarrowingFilter,
  readFilterChoices,
} from '@meadow/contract/web'
import { useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { queryOf } from '../../api/queries.ts'
import { IconArrowsSort, IconFilter, IconLayoutGrid, IconList, IconX } from '../../shell/icons.ts'
import { FILTER_LABELS, KIND_LABELS, STATE_LABELS, toStateFilter, type useFilters } from './filters.ts'
import { SORT_KEYS, SORT_LABELS, type SortKey } from './list-items.ts'
import type { ViewPreferences } from './view-preferences.ts'

type SetFilters = ReturnType<typeof useFilters>[1]

export interface FilterBarProps {
  folder: AppFolder
  filters: FolderFilters
  setFilters: SetFilters
  text: string
  setText: (text: string) => void
  textField: RefObject<HTMLInputElement | null>
  preferences: ViewPreferences
  setPreferences: (next: Partial<ViewPreferences>) => void
}

/** Reads the people and plug-ins that can be chosen, with their names. */
const useChoices = (folderId: string, isNeeded: boolean) =>
  useQuery({ ...queryOf(readFilterChoices, { params: [folderId] }), enabled: isNeeded }).data

const active = (filters: FolderFilters): NarrowingFilter[] =>
  NARROWING_FILTERS.filter((name) => filters[name] !== undefined)

/** How a list is filtered, sorted and shown. */
export function FilterBar(props: FilterBarProps) {
  const { folder, filters, setFilters, text, setText, textField, preferences, setPreferences } = props
  const chosen = active(filters)
  return (
    <Stack gap="xs" component="section" aria-label="Filters and order">
      <Group gap="xs">
        <TextInput
          ref={textField}
          size="xs"
          flex="1 1 160px"
          maw={320}
          aria-label="Filter the list"
          placeholder="Filter by name"
          leftSection={<IconFilter size={14} />}
          rightSection={
            text && <CloseButton size="sm" aria-label="Clear the filter" onClick={() => setText('')} />
          }
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={({ key }) => key === 'Escape' && setText('')}
        />
        <Popover position="bottom-start" width={260} withinPortal trapFocus>
          <Popover.Target>
            <Button size="xs" variant="default" leftSection={<IconFilter size={14} />}>
              {chosen.length > 0 ? `Filters (${chosen.length})` : 'Filters'}
            </Button>
          </Popover.Target>
          <Popover.Dropdown aria-label="Filters">
            <FilterFields folderId={folder.id} filters={filters} setFilters={setFilters} />
          </Popover.Dropdown>
        </Popover>
        <SortMenu preferences={preferences} setPreferences={setPreferences} />
        <SegmentedControl
          size="xs"
          ml="auto"
          aria-label="View"
          value={preferences.view}
          onChange={(view) => setPreferences({ view: view as ViewPreferences['view'] })}
          data={[
            { value: 'table', label: <IconList size={16} aria-label="List" /> },
            { value: 'grid', label: <IconLayoutGrid size={16} aria-label="Cards" /> },
          ]}
        />
      </Group>
      {chosen.length > 0 || filters.subfolders ? (
        <ActiveFilters {...props} chosen={chosen} />
      ) : (
        <States documents={folder.documents} setFilters={setFilters} />
      )}
    </Stack>
  )
}

/** How many of the documents are solved, partial and so on; each leads to them. */
function States({ documents, setFilters }: { documents: AppFolder['documents']; setFilters: SetFilters }) {
  const counts = Object.entries(STATE_LABELS).flatMap(([state, label]) => {
    const found = documents.filter((document) => toStateFilter(document) === state).length
    return found > 0 ? [{ state, text: `${found.toLocaleString('en')} ${label.toLowerCase()}` }] : []
  })
  if (documents.length < 2) return null
  return (
    <Group gap={6} role="group" aria-label="States of the documents">
      {counts.map(({ state, text }) => (
        <Button
          key={state}
          size="compact-xs"
          variant="default"
          title="Show these alone"
          onClick={() => setFilters({ state })}
        >
          {text}
        </Button>
      ))}
    </Group>
  )
}

/** Each filter, to be removed. */
function ActiveFilters({
  folder,
  filters,
  setFilters,
  chosen,
}: FilterBarProps & { chosen: readonly NarrowingFilter[] }) {
  const describe = useDescribeFilter(folder.id, filters)
  return (
    <Group gap={6}>
      {chosen.map((name) => (
        <Button
          key={name}
          size="compact-xs"
          variant="light"
          rightSection={<IconX size={12} />}
          aria-label={`Remove the filter ${describe(name)}`}
          onClick={() => setFilters({ [name]: null })}
        >
          {describe(name)}
        </Button>
      ))}
      {filters.subfolders && (
        <Button
          size="compact-xs"
          variant="light"
          rightSection={<IconX size={12} />}
          aria-label="Remove the filter: With subfolders"
          onClick={() => setFilters({ subfolders: null })}
        >
          With subfolders
        </Button>
      )}
    </Group>
  )
}

/** A filter in words, such as "State: Failed". */
export function useDescribeFilter(
  folderId: string,
  filters: FolderFilters,
): (name: NarrowingFilter) => string {
  const isNamed = [filters.author, filters.creator, filters.plugin].some((value) => value !== undefined)
  const choices = useChoices(folderId, isNamed)
  const values: Record<NarrowingFilter, string | undefined> = {
    state: filters.state && STATE_LABELS[filters.state],
    kind: filters.kind && KIND_LABELS[filters.kind],
    author: choices?.authors.find(({ id }) => id === filters.author)?.name ?? 'somebody',
    creator: choices?.creators.find(({ id }) => id === filters.creator)?.name ?? 'somebody',
    plugin: choices?.plugins.find(({ key }) => key === filters.plugin)?.name ?? 'another one',
  }
  return (name) => `${FILTER_LABELS[name]}: ${values[name]}`
}

const optionsOf = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

const optionsOfPeople = (people: readonly { id: string; name: string; documents: number }[] = []) =>
  people.map(({ id, name, documents }) => ({
    value: id,
    label: `${name} (${documents.toLocaleString('en')})`,
  }))

function FilterFields({
  folderId,
  filters,
  setFilters,
}: Pick<FilterBarProps, 'filters' | 'setFilters'> & { folderId: string }) {
  const choices = useChoices(folderId, true)
  const options: Record<NarrowingFilter, { value: string; label: string }[]> = {
    state: optionsOf(STATE_LABELS),
    author: optionsOfPeople(choices?.authors),
    creator: optionsOfPeople(choices?.creators),
    plugin: (choices?.plugins ?? []).map(({ key, name, documents }) => ({
      value: key,
      label: `${name} (${documents.toLocaleString('en')})`,
    })),
    kind: optionsOf(KIND_LABELS),
  }
  return (
    <Stack gap="xs">
      {NARROWING_FILTERS.map((name) => (
        <Select
          key={name}
          size="xs"
          label={FILTER_LABELS[name]}
          placeholder="Any"
          clearable
          searchable={name !== 'state' && name !== 'kind'}
          nothingFoundMessage="Nothing to choose from"
          comboboxProps={{ withinPortal: false }}
          data={options[name]}
          value={filters[name] ?? null}
          onChange={(value) => setFilters({ [name]: value })}
        />
      ))}
      <Switch
        size="sm"
        label="Also in subfolders"
        checked={filters.subfolders !== undefined}
        onChange={({ currentTarget }) => setFilters({ subfolders: currentTarget.checked ? '1' : null })}
      />
    </Stack>
  )
}

/** A new key begins with what people look for: names from A, times from the newest, sizes from the largest. */
export function nextSort(
  { key, isDescending }: ViewPreferences['sort'],
  chosen: SortKey,
): ViewPreferences['sort'] {
  if (key === chosen) return { key, isDescending: !isDescending }
  return { key: chosen, isDescending: ['changed', 'created', 'size'].includes(chosen) }
}

function SortMenu({
  preferences: { sort },
  setPreferences,
}: Pick<FilterBarProps, 'preferences' | 'setPreferences'>) {
  return (
    <Menu position="bottom-start" width={180}>
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconArrowsSort size={14} />}
          aria-label={`Order: ${SORT_LABELS[sort.key]}, ${sort.isDescending ? 'descending' : 'ascending'}`}
        >
          {SORT_LABELS[sort.key]}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {SORT_KEYS.map((key) => (
          <Menu.Item key={key} onClick={() => setPreferences({ sort: nextSort(sort, key) })}>
            {SORT_LABELS[key]}
            {sort.key === key && (sort.isDescending ? ' ↓' : ' ↑')}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
