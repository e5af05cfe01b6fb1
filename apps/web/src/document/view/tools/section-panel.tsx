import { ActionIcon, CloseButton, Group, SegmentedControl, Slider, Stack, Text, Tooltip } from '@mantine/core'
import type { Box3 } from 'three'
import { IconFlipHorizontal } from '../../../shell/icons.ts'
import type { Section } from '../drawing/section.ts'
import { formatNumber } from '../scene/measures.ts'
import styles from './tools.module.css'

interface SectionPanelProps {
  section: Section
  onChange: (section: Section) => void
  /** The box of what is visible. */
  box: Box3 | undefined
  unit: string
  onClose: () => void
}

const STEPS = 200

/** Shows and changes where the section plane is. */
export function SectionPanel({ section, onChange, box, unit, onClose }: SectionPanelProps) {
  const { axis, offset, isFlipped } = section
  const [min, max] = box ? [box.min[axis], box.max[axis]] : [0, 1]
  return (
    <Stack className={styles.panel} gap={6} role="group" aria-label="Section">
      <Group gap={6} wrap="nowrap" justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label="The axis that the section is perpendicular to"
          value={axis}
          data={['x', 'y', 'z'].map((value) => ({ value, label: value.toUpperCase() }))}
          onChange={(value) => onChange(placeSection(value as Section['axis'], box, isFlipped))}
        />
        <Group gap={2} wrap="nowrap">
          <Tooltip label="Show the other side">
            <ActionIcon
              size={28}
              variant="default"
              aria-label="Show the other side"
              onClick={() => onChange({ ...section, isFlipped: !isFlipped })}
            >
              <IconFlipHorizontal size={16} />
            </ActionIcon>
          </Tooltip>
          <CloseButton size={28} aria-label="End the section" onClick={onClose} />
        </Group>
      </Group>
      <Slider
        size="sm"
        thumbLabel="Where the section is"
        label={null}
        min={min}
        max={Math.max(max, min + Number.EPSILON)}
        step={(max - min) / STEPS || 1}
        value={offset}
        onChange={(value) => onChange({ ...section, offset: value })}
      />
      <Text size="xs" c="dimmed" ta="right">
        {axis.toUpperCase()} = {formatNumber(offset)} {unit}
      </Text>
    </Stack>
  )
}

/** Returns a section through the middle of the box. */
export function placeSection(axis: Section['axis'], box: Box3 | undefined, isFlipped = false): Section {
  return { axis, offset: box ? (box.min[axis] + box.max[axis]) / 2 : 0, isFlipped }
}
