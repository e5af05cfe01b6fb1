import { CloseButton, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import type { Vector3 } from 'three'
import { formatNumber, measureAngle } from '../scene/measures.ts'
import styles from './tools.module.css'

/** What is measured, and the points so far. */
export interface Measurement {
  of: 'distance' | 'angle'
  points: readonly Vector3[]
}

const POINTS_NEEDED = { distance: 2, angle: 3 } as const

/** Adds a point; after the last one, measuring starts again. */
export const addPoint = ({ of, points }: Measurement, point: Vector3): Measurement => ({
  of,
  points: points.length >= POINTS_NEEDED[of] ? [point] : [...points, point],
})

interface MeasurePanelProps {
  measurement: Measurement
  onChange: (measurement: Measurement) => void
  unit: string
  onClose: () => void
}

/** What was measured between picked points. */
export function MeasurePanel({ measurement, onChange, unit, onClose }: MeasurePanelProps) {
  const { of, points } = measurement
  const missing = POINTS_NEEDED[of] - points.length
  return (
    <Stack className={styles.panel} gap={6} role="group" aria-label="Measure">
      <Group gap={6} wrap="nowrap" justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label="What is measured"
          value={of}
          data={[
            { value: 'distance', label: 'Distance' },
            { value: 'angle', label: 'Angle' },
          ]}
          onChange={(value) => onChange({ of: value as Measurement['of'], points: [] })}
        />
        <CloseButton size={28} aria-label="End measuring" onClick={onClose} />
      </Group>
      <div role="status">
        {missing > 0 ? (
          <Text size="xs" c="dimmed">
            {HINTS[of][points.length]}
          </Text>
        ) : (
          <Result measurement={measurement} unit={unit} />
        )}
      </div>
    </Stack>
  )
}

/** What to pick next. */
const HINTS: Record<Measurement['of'], readonly string[]> = {
  distance: ['Pick a point. Ends and vertices attract it.', 'Pick the second point.'],
  angle: ['Pick a point on the first side.', 'Pick the corner.', 'Pick a point on the second side.'],
}

function Result({ measurement: { of, points }, unit }: { measurement: Measurement; unit: string }) {
  const [a, b, c] = points as [Vector3, Vector3, Vector3]
  if (of === 'angle') {
    const angle = measureAngle(a, b, c)
    return (
      <Text fw={600}>{angle === undefined ? 'Two points are the same.' : `${formatNumber(angle)}°`}</Text>
    )
  }
  const along = b.clone().sub(a)
  return (
    <>
      <Text fw={600}>
        {formatNumber(along.length())} {unit}
      </Text>
      <Text size="xs" c="dimmed">
        {(['x', 'y', 'z'] as const).map((axis) => `Δ${axis} ${formatNumber(along[axis])}`).join('   ')}
      </Text>
    </>
  )
}
