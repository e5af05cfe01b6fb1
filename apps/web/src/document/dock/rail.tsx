import { ActionIcon, Indicator, Tooltip } from '@mantine/core'
import { findServiceAddress } from '../../api/public-path.ts'
import { useEditor } from '../state/store.ts'
import type { Dock, DockTab } from '../state/use-dock.ts'
import styles from './dock.module.css'
import { TABS } from './tabs.ts'

/** The buttons of the dock, one a tab. */
export function Rail({ dock }: { dock: Dock }) {
  const { document, mayEdit, comments } = useEditor()
  const shown = (Object.keys(TABS) as DockTab[]).filter((tab) => TABS[tab].isFor?.(document) ?? true)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset holds the fields of a form.
    <div role="group" aria-label="Panels" className={styles.rail}>
      {shown.map((tab) => {
        const { label, icon: Icon } = TABS[tab]
        const unread = tab === 'comments' ? (comments?.unread ?? 0) : 0
        const name = unread > 0 ? `${label}, ${unread} unread` : label
        const look = { 'aria-label': name, size: 'lg', variant: 'subtle', color: 'gray' } as const
        const icon = (
          <Indicator label={unread} size={15} color="red" disabled={unread === 0} aria-hidden>
            <Icon size={18} />
          </Indicator>
        )
        // What is pinned is chosen by editors. Others go to the player itself.
        return (
          <Tooltip
            key={tab}
            label={name}
            position="left"
            withinPortal={false}
            // The heading of the open panel says it, which would be covered.
            disabled={tab === dock.tab}
          >
            {tab === 'player' && !mayEdit ? (
              <ActionIcon {...look} component="a" href={`${findServiceAddress()}/play/${document.id}`}>
                {icon}
              </ActionIcon>
            ) : (
              <ActionIcon {...look} aria-pressed={tab === dock.tab} onClick={() => dock.toggle(tab)}>
                {icon}
              </ActionIcon>
            )}
          </Tooltip>
        )
      })}
    </div>
  )
}
