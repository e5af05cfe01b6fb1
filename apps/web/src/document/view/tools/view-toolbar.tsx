import { ActionIcon, Group, Menu, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import {
  type Icon,
  IconCube,
  IconEye,
  IconFocusCentered,
  IconPalette,
  IconRulerMeasure,
  IconSlice,
  IconStack2,
} from '../../../shell/icons.ts'
import { KeyHint, useLabelWithKey } from '../../keys/character-keys-switch.tsx'
import type { CharacterKey } from '../../keys/use-keys.ts'
import type { StandardView } from '../camera/framing.ts'
import { VIEW_NAMES } from '../camera/view-keys.ts'
import type { Display } from '../drawing/model-drawing.ts'
import type { ChoiceActions } from '../scene/use-choices.ts'
import styles from './tools.module.css'

export type Tool = 'section' | 'measure'

interface ViewToolbarProps {
  display: Display
  onDisplay: (display: Display) => void
  isParallel: boolean
  onParallel: (isParallel: boolean) => void
  onView: (view: StandardView) => void
  onFit: () => void
  tool: Tool | undefined
  onTool: (tool: Tool | undefined) => void
  actions: ChoiceActions
  /** The state of colouring; undefined if there is nothing to colour by. */
  colouring: { isOn: boolean; toggle: () => void } | undefined
}

const DISPLAY_NAMES: Record<keyof Display, string> = {
  isShaded: 'Shaded faces',
  edges: 'Edges',
  isocurves: 'Isocurves',
  meshEdges: 'Mesh edges',
}

/** The tools of the 3D view, in one bar. */
export function ViewToolbar(props: ViewToolbarProps) {
  const { display, onDisplay, isParallel, onParallel, onView, onFit, tool, onTool, actions, colouring } =
    props
  return (
    <Group className={styles.bar} gap={2} role="toolbar" aria-label="Tools of the 3D view">
      <ToolButton label="Fit the view" hint="fit" icon={IconFocusCentered} onClick={onFit} />
      <ToolMenu label="Views" icon={IconCube}>
        {Object.entries(VIEW_NAMES).map(([view, name]) => (
          <Menu.Item
            key={view}
            onClick={() => onView(view as StandardView)}
            rightSection={<KeyHint name={view as StandardView} />}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.CheckboxItem
          checked={isParallel}
          onChange={onParallel}
          rightSection={<KeyHint name="parallel" />}
        >
          Parallel
        </Menu.CheckboxItem>
      </ToolMenu>
      <ToolMenu label="Display" icon={IconStack2}>
        {Object.entries(DISPLAY_NAMES).map(([name, label]) => (
          <Menu.CheckboxItem
            key={name}
            checked={display[name as keyof Display]}
            onChange={(isOn) => onDisplay({ ...display, [name]: isOn })}
          >
            {label}
          </Menu.CheckboxItem>
        ))}
      </ToolMenu>
      <ToolMenu label="Visibility" icon={IconEye}>
        <Menu.Item disabled={!actions.canHide} onClick={actions.hide} rightSection={<KeyHint name="hide" />}>
          Hide the selected
        </Menu.Item>
        <Menu.Item
          disabled={!actions.canHide}
          onClick={actions.isolate}
          rightSection={<KeyHint name="isolate" />}
        >
          Show only the selected
        </Menu.Item>
        <Menu.Item onClick={actions.showAll} rightSection={<KeyHint name="showAll" />}>
          Show all
        </Menu.Item>
      </ToolMenu>
      {colouring && (
        <ToolButton
          label="Colour by data"
          hint="colour"
          icon={IconPalette}
          isOn={colouring.isOn}
          onClick={colouring.toggle}
        />
      )}
      <ToolButton
        label="Section"
        hint="section"
        icon={IconSlice}
        isOn={tool === 'section'}
        onClick={() => onTool(tool === 'section' ? undefined : 'section')}
      />
      <ToolButton
        label="Measure"
        hint="measure"
        icon={IconRulerMeasure}
        isOn={tool === 'measure'}
        onClick={() => onTool(tool === 'measure' ? undefined : 'measure')}
      />
    </Group>
  )
}

interface ToolButtonProps {
  label: string
  /** The shortcut of the button. */
  hint: CharacterKey
  icon: Icon
  /** Whether the button is on; undefined for buttons without a state. */
  isOn?: boolean
  onClick: () => void
}

function ToolButton({ label, hint, icon: Icon, isOn, onClick }: ToolButtonProps) {
  const labelWithKey = useLabelWithKey(label, hint)
  return (
    <Tooltip label={labelWithKey}>
      <ActionIcon
        size={30}
        variant={isOn ? 'light' : 'subtle'}
        color={isOn ? 'meadow' : 'gray'}
        aria-label={label}
        {...(isOn !== undefined && { 'aria-pressed': isOn })}
        onClick={onClick}
      >
        <Icon size={17} />
      </ActionIcon>
    </Tooltip>
  )
}

function ToolMenu({ label, icon: Icon, children }: { label: string; icon: Icon; children: ReactNode }) {
  return (
    <Menu position="bottom-end" width={210}>
      <Menu.Target>
        <Tooltip label={label}>
          <ActionIcon size={30} variant="subtle" color="gray" aria-label={label}>
            <Icon size={17} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
