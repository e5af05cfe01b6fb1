import { ActionIcon, Button, Loader, Menu, Text } from '@mantine/core'
import {
  changeView,
  createView,
  deleteView,
  type NamedView,
  restoreView,
  type ViewPlace,
} from '@meadow/contract/web'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { findServiceAddress } from '../../api/public-path.ts'
import { CopyLinkItem } from '../../shell/copy-line.tsx'
import { Failure } from '../../shell/failure.tsx'
import { type Icon, IconCube, IconDots, IconSchema } from '../../shell/icons.ts'
import { NameDialog } from '../../shell/name-dialog.tsx'
import { notify } from '../../shell/notices.tsx'
import sideList from '../../shell/side-list.module.css'
import { refreshViews } from '../live/views-query.ts'
import { useEditor } from '../state/store.ts'
import styles from './views.module.css'

const KINDS: Record<ViewPlace['kind'], { icon: Icon; what: string; save: string }> = {
  graph: { icon: IconSchema, what: 'View of the graph', save: 'Save the graph view' },
  model: { icon: IconCube, what: '3D view', save: 'Save the 3D view' },
}

const NOTHING_SEEN = { text: 'There is no geometry to be seen yet.' }

/** What a dialog asks a name for: a new view, or one that has a name already. */
type Naming = { place: ViewPlace } | { renamed: NamedView }

/** The named views of a document: a list that leads to them. */
export function ViewsPanel() {
  const { document, views, mayEdit, panes } = useEditor()
  /** The panes that are seen. */
  const kinds = panes === 'both' ? (['graph', 'model'] as const) : [panes]
  const { list, error, retry, chosenId, choose } = views
  const params = [document.id]
  const queryClient = useQueryClient()
  const refresh = () => refreshViews(queryClient, document.id)
  const [naming, setNaming] = useState<Naming>()
  const [status, setStatus] = useState<{ text: string; deleted?: NamedView }>()
  const items = useRef<HTMLUListElement>(null)
  const undo = useRef<HTMLButtonElement>(null)
  const isLoaded = list !== undefined
  useEffect(() => {
    if (isLoaded) items.current?.querySelector('button')?.focus()
  }, [isLoaded])
  useEffect(() => {
    if (status?.deleted) undo.current?.focus()
  }, [status])

  async function save(name: string): Promise<void> {
    if (!naming) return
    setStatus(undefined)
    if ('renamed' in naming)
      await call(changeView, { params: [document.id, naming.renamed.id], body: { name } })
    else views.mark((await call(createView, { params, body: { name, place: naming.place } })).view)
    await refresh()
  }
  async function update({ id, name, place: { kind } }: NamedView): Promise<void> {
    const place = views.read(kind)
    if (!place) return setStatus(NOTHING_SEEN)
    await call(changeView, { params: [document.id, id], body: { place } })
    await refresh()
    setStatus({ text: `“${name}” shows what you see now.` })
  }
  async function remove(view: NamedView): Promise<void> {
    await call(deleteView, { params: [document.id, view.id] })
    await refresh()
    setStatus({ text: `“${view.name}” was deleted.`, deleted: view })
  }
  async function restore({ id }: NamedView): Promise<void> {
    await call(restoreView, { params: [document.id, id] })
    await refresh()
    setStatus(undefined)
    items.current?.querySelector('button')?.focus()
  }
  const rename = (view: NamedView) => setNaming({ renamed: view })

  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-view]')]
    const at = buttons.indexOf(event.target as HTMLElement)
    const view = list?.[at]
    if (!view) return
    const go = (index: number) => buttons[index]?.focus()
    const act: Record<string, () => void> = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(buttons.length - 1),
      ...(mayEdit && {
        F2: () => rename(view),
        Delete: () => void remove(view).catch(notify),
      }),
    }
    if (!act[event.key]) return
    act[event.key]!()
    event.preventDefault()
    // The graph acts on the same keys.
    event.stopPropagation()
  }

  return (
    <>
      {mayEdit && (
        <div className={styles.tools}>
          {kinds.map((kind) => {
            const { icon: Icon, save } = KINDS[kind]
            return (
              <Button
                key={kind}
                size="compact-sm"
                variant="light"
                leftSection={<Icon size={14} />}
                onClick={() => {
                  const place = views.read(kind)
                  if (place) setNaming({ place })
                  else setStatus(NOTHING_SEEN)
                }}
              >
                {save}
              </Button>
            )
          })}
        </div>
      )}
      <div className={styles.status} role="status">
        {status && <span className={styles.statusText}>{status.text}</span>}
        {status?.deleted && (
          <Button
            ref={undo}
            size="compact-sm"
            variant="subtle"
            onClick={() => void restore(status.deleted!).catch(notify)}
          >
            Undo
          </Button>
        )}
      </div>
      <div className={styles.scroll}>
        {!list && !error && <Loader aria-label="Loading the views" m="md" />}
        {!list && error && <Failure error={error} retry={retry} />}
        {list?.length === 0 && (
          <Text size="sm" c="dimmed" p="md">
            {mayEdit
              ? 'No views are saved. Save what you see of the graph or of the geometry under a name, and everyone who reads the document can go there.'
              : 'No views are saved.'}
          </Text>
        )}
        {list && list.length > 0 && (
          <ul ref={items} className={sideList.items} aria-label="List of named views" onKeyDown={onKeyDown}>
            {list.map((view) => {
              const { icon: Icon, what } = KINDS[view.place.kind]
              return (
                <li key={view.id} className={styles.row}>
                  <button
                    type="button"
                    data-view
                    className={`${sideList.item} ${styles.view}`}
                    aria-current={view.id === chosenId || undefined}
                    onClick={() => choose(view)}
                  >
                    <Icon size={18} role="img" aria-label={what} />
                    <bdi className={styles.name}>{view.name}</bdi>
                  </button>
                  <Menu position="bottom-end" shadow="md">
                    <Menu.Target>
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        aria-label={`Actions of the view ${view.name}`}
                      >
                        <IconDots size={16} />
                      </ActionIcon>
                    </Menu.Target>
                    <Menu.Dropdown>
                      <CopyLinkItem
                        link={`${findServiceAddress()}/documents/${document.id}?view=${view.id}`}
                      />
                      {mayEdit && (
                        <>
                          <Menu.Item
                            disabled={!kinds.includes(view.place.kind)}
                            onClick={() => void update(view).catch(notify)}
                          >
                            Update to what is seen
                          </Menu.Item>
                          <Menu.Item onClick={() => rename(view)}>Rename</Menu.Item>
                          <Menu.Item color="red" onClick={() => void remove(view).catch(notify)}>
                            Delete
                          </Menu.Item>
                        </>
                      )}
                    </Menu.Dropdown>
                  </Menu>
                </li>
              )
            })}
          </ul>
        )}
      </div>
      <NameDialog
        title={naming && 'renamed' in naming ? 'Rename the view' : 'Save the view'}
        action={naming && 'renamed' in naming ? 'Rename' : 'Save'}
        initialName={naming && 'renamed' in naming ? naming.renamed.name : nextName(list ?? [])}
        isOpen={naming !== undefined}
        close={() => setNaming(undefined)}
        save={save}
      />
    </>
  )
}

/** A name that no view has yet. */
function nextName(views: readonly NamedView[]): string {
  const names = new Set(views.map(({ name }) => name))
  let number = views.length + 1
  while (names.has(`View ${number}`)) number++
  return `View ${number}`
}
