import { ActionIcon, Badge, Loader, Tabs, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { LIBRARY, type PaletteKind, paletteQuery, useTeamItems } from '../../../api/palette-query.ts'
import { useRemembered } from '../../../shell/first-render.ts'
import { IconX } from '../../../shell/icons.ts'
import { useHover } from '../panels/use-hover.ts'
import styles from './component-dock.module.css'
import { EntryIcon, KindCard } from './kind-card.tsx'
import { startKindDrag } from './kind-drag.ts'
import { listItemFamilies, listTabs } from './list-tabs.ts'
import { searchKinds } from './palette-search.ts'

export interface ComponentDockProps {
  /** The ids of the kinds that were inserted last. */
  recent: readonly string[]
  /** Whether the list was just opened, and so takes the focus. */
  takesFocus: boolean
  /** The id of the team; undefined for readers who are not its members. */
  teamId: string | undefined
  /** Takes the id of a kind, or of the file of a library item. */
  onInsert: (id: string) => void
  close: () => void
}

const CARD = 'kind-card'

/** All kinds of nodes, by tab and family, to be inserted by a click, Enter or a drag to the canvas. */
export function ComponentDock({ recent, takesFocus, teamId, onInsert, close }: ComponentDockProps) {
  const { data, failureCount } = useQuery(paletteQuery)
  const items = useTeamItems(teamId, '').kinds
  const tabs = useMemo(() => listTabs(data?.kinds ?? [], items), [data, items])
  const [tab, setTab] = useRemembered('meadow.components.tab', 'Params')
  const { shown, show, hide, close: closeCard } = useHover<{ kind: PaletteKind; anchor: DOMRect }>()
  const recentKinds = recent.flatMap(
    (id) => [...(data?.kinds ?? []), ...items].find(({ templateId }) => templateId === id) ?? [],
  )
  const dock = useRef<HTMLElement>(null)
  const isLoaded = data !== undefined
  useEffect(() => {
    if (takesFocus && isLoaded)
      dock.current?.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus()
  }, [takesFocus, isLoaded])
  // On a phone, the tabs are in one line that is longer than the window, so the chosen one is scrolled into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is another element.
  useEffect(() => {
    const chosen = dock.current?.querySelector<HTMLElement>('[role=tab][aria-selected=true]')
    chosen?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [tab, isLoaded])
  const entry = { onInsert, show, hide, closeCard, shownKind: shown?.kind }
  return (
    <aside
      ref={dock}
      className={styles.dock}
      aria-label="Components"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        close()
      }}
    >
      <div className={styles.head}>
        <Text fw={600} size="sm" component="h2">
          Components
        </Text>
        <ActionIcon variant="subtle" color="gray" aria-label="Close the components" onClick={close}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </div>
      {!data && failureCount === 0 && <Loader size="sm" m="sm" aria-label="Loading" />}
      {!data && failureCount > 0 && (
        <Text size="sm" c="dimmed" p="sm">
          The list of components could not be loaded yet. Trying again.
        </Text>
      )}
      {recentKinds.length > 0 && <Entries label="Placed last" kinds={recentKinds} isRow {...entry} />}
      {data && (
        <Tabs
          value={tabs.some(({ name }) => name === tab) ? tab : 'Params'}
          onChange={(next) => setTab(next ?? 'Params')}
          variant="pills"
          keepMounted={false}
          className={styles.tabs}
          classNames={{ tab: styles.tab! }}
        >
          <Tabs.List aria-label="Tabs" className={styles.tabList}>
            {tabs.map(({ name }) => (
              <Tabs.Tab key={name} value={name}>
                {name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {tabs.map(({ name, families }) => (
            <Tabs.Panel key={name} value={name} className={styles.panel} tabIndex={-1}>
              {name === LIBRARY && teamId !== undefined ? (
                <TeamLibrary teamId={teamId} {...entry} />
              ) : (
                families.map((family) => (
                  <Entries key={family.name} label={family.name} kinds={family.kinds} {...entry} />
                ))
              )}
            </Tabs.Panel>
          ))}
        </Tabs>
      )}
      {shown && <KindCard id={CARD} {...shown} />}
    </aside>
  )
}

/** The least number of library items with a search field; fewer are seen at a glance. */
const MIN_SEARCHED = 12

/** All library items of the team, or those that match what is typed. */
function TeamLibrary({ teamId, ...entry }: { teamId: string } & EntryProps) {
  const [typed, setTyped] = useState('')
  const [asked] = useDebouncedValue(typed.trim(), 200)
  const all = useTeamItems(teamId, '')
  const { kinds, isTruncated } = useTeamItems(teamId, asked)
  // If the team has more items than a list holds, the server has searched them, by the names of their files.
  const found = all.isTruncated ? kinds : searchKinds(kinds, typed)
  const families = useMemo(() => listItemFamilies(found), [found])
  return (
    <>
      {all.kinds.length >= MIN_SEARCHED && (
        <TextInput
          size="xs"
          m={4}
          type="search"
          aria-label="Search the library"
          placeholder="Search the library"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && typed !== '') {
              event.stopPropagation()
              setTyped('')
            }
          }}
        />
      )}
      {families.map((family) => (
        <Entries key={family.name} label={family.name} kinds={family.kinds} {...entry} />
      ))}
      {(found.length === 0 || isTruncated) && (
        <Text size="xs" c="dimmed" p={6} role="status">
          {found.length === 0
            ? 'No library item has that name.'
            : `These are the first ${found.length}. Type more of a name to find others.`}
        </Text>
      )}
    </>
  )
}

interface EntryProps {
  onInsert: (templateId: string) => void
  show: (shown: { kind: PaletteKind; anchor: DOMRect }) => void
  hide: () => void
  closeCard: () => void
  shownKind: PaletteKind | undefined
}

interface EntriesProps extends EntryProps {
  label: string
  kinds: readonly PaletteKind[]
  /** Whether the entries are icons only, side by side. */
  isRow?: boolean
}

/** A family. One entry is in the tab order, and the arrow keys move to the others, and on to the next family. */
function Entries({ label, kinds, isRow = false, onInsert, show, hide, closeCard, shownKind }: EntriesProps) {
  const [tabbable, setTabbable] = useState<string>()
  const first = kinds.some(({ templateId }) => templateId === tabbable) ? tabbable : kinds[0]?.templateId
  return (
    // biome-ignore lint/a11y/useSemanticElements: a family is no part of a form.
    <div role="group" className={isRow ? styles.recent : styles.family} aria-label={label}>
      <Text size="xs" c="dimmed" fw={600} component="h3" className={styles.heading}>
        {label}
      </Text>
      {kinds.map((kind) => {
        const { templateId, name, nickName, unsolved } = kind
        const see = (target: HTMLElement) => show({ kind, anchor: target.getBoundingClientRect() })
        return (
          <button
            key={templateId}
            type="button"
            className={styles.entry}
            data-kind={templateId}
            tabIndex={templateId === first ? 0 : -1}
            aria-label={isRow ? name : undefined}
            aria-describedby={shownKind === kind ? CARD : undefined}
            draggable
            onDragStart={(event) => {
              closeCard()
              startKindDrag(event, templateId)
            }}
            onClick={() => {
              closeCard()
              onInsert(templateId)
            }}
            onContextMenu={(event) => {
              // A finger that rests on the entry opens its card.
              event.preventDefault()
              see(event.currentTarget)
            }}
            onFocus={({ currentTarget }) => {
              setTabbable(templateId)
              if (currentTarget.matches(':focus-visible')) see(currentTarget)
            }}
            onBlur={hide}
            onPointerEnter={({ currentTarget, pointerType, buttons }) => {
              if (pointerType === 'mouse' && buttons === 0) see(currentTarget)
            }}
            onPointerLeave={hide}
            onKeyDown={moveFocus}
          >
            <EntryIcon kind={kind} size={20} />
            {!isRow && (
              <>
                <span className={styles.name}>{name}</span>
                {unsolved !== null && (
                  <Badge size="xs" variant="light" color="violet" tt="none">
                    not solved
                  </Badge>
                )}
                {nickName !== name && <span className={styles.nickName}>{nickName}</span>}
              </>
            )}
          </button>
        )
      })}
    </div>
  )
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key]
  const entries = [
    ...(event.currentTarget.closest('aside')?.querySelectorAll<HTMLElement>('[data-kind]') ?? []),
  ]
  const at = entries.indexOf(event.currentTarget)
  const next =
    event.key === 'Home' ? entries[0] : event.key === 'End' ? entries.at(-1) : step && entries[at + step]
  if (!next) return
  event.preventDefault()
  event.stopPropagation()
  next.focus()
}
