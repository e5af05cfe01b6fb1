import { ActionIcon, Menu } from '@mantine/core'
import { type Icon, IconDots } from '../../shell/icons.ts'
import { ExportItems, type ExportItemsProps } from './export-menu.tsx'

/** An action of the header: a button where there is room, otherwise an item of the menu. */
export interface HeaderAction {
  label: string
  icon: Icon
  run: () => void
  /** Whether the button shows the icon only. */
  isIcon?: boolean
  /** Shown at the icon, if it is not zero. */
  count?: number
}

interface MoreMenuProps {
  actions: readonly HeaderAction[]
  /** The exports in the menu; undefined for readers who may not export. */
  exports: ExportItemsProps | undefined
}

/** The actions of the header that there is no room for. */
export function MoreMenu({ actions, exports }: MoreMenuProps) {
  return (
    <Menu position="bottom-end" width="min(300px, calc(100vw - 16px))" shadow="md">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label="More">
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ label, icon: Icon, run }) => (
          <Menu.Item key={label} leftSection={<Icon size={16} />} onClick={run}>
            {label}
          </Menu.Item>
        ))}
        {exports && (
          <>
            <Menu.Divider />
            <Menu.Label>Export</Menu.Label>
            <ExportItems {...exports} />
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
