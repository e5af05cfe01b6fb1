import { ActionIcon, Button, CloseButton, ColorSwatch, Group, Stack, Text, Tooltip } from '@mantine/core'
import type { SceneType } from '@meadow/contract/web'
import { CopyButton } from '../../../shell/copy-button.tsx'
import { IconCheck, IconCopy } from '../../../shell/icons.ts'
import { formatNumber, measureBox, measureValue } from '../scene/measures.ts'
import type { SceneValue, SceneValues } from '../scene/scene-values.ts'
import styles from './tools.module.css'

/** The names of a node and one of its ports. */
export type NamePort = (nodeInstanceId: string, portInstanceId: string) => { node: string; port: string }

interface ObjectPanelProps {
  values: SceneValues
  picked: readonly SceneValue[]
  namePort: NamePort
  unit: string
  onSelectNode: () => void
  onClose: () => void
}

const TYPE_NAMES: Record<SceneType, string> = {
  geometry: 'Geometry',
  point: 'Point',
  line: 'Line',
  polyline: 'Polyline',
  rectangle: 'Rectangle',
  circle: 'Circle',
  arc: 'Arc',
  nurbsCurve: 'NURBS curve',
  polyCurve: 'Polycurve',
  nurbsSurface: 'Surface',
  brep: 'Brep',
  mesh: 'Mesh',
  subD: 'SubD',
  hatch: 'Hatch',
  text: 'Text',
  pointCloud: 'Point cloud',
}

/** The digits of a size. Boxes are those of the drawing, whose numbers have seven digits. */
const SIZE_DIGITS = 5

type Row = readonly [name: string, text: string, colour?: string]

/** The properties of the object that is selected. */
export function ObjectPanel({ values, picked, namePort, unit, onSelectNode, onClose }: ObjectPanelProps) {
  const [first] = picked
  const number = first && values.find(first)
  if (!first || number === undefined) return null
  const rows = picked.length === 1 ? listProperties(values, number, namePort, unit) : []
  const title = picked.length === 1 ? nameType(values, number) : `${picked.length} objects`
  return (
    <Stack className={styles.panel} gap={4} role="group" aria-label="The selected object">
      <Group gap={6} wrap="nowrap" justify="space-between">
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <CloseButton size={28} aria-label="Select nothing" onClick={onClose} />
      </Group>
      <table className={styles.table}>
        <tbody>
          {rows.map(([name, text, colour]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                {colour && (
                  <ColorSwatch component="span" display="inline-flex" mr={4} size={11} color={colour} />
                )}
                {text}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Group gap={6} wrap="nowrap">
        <Button size="compact-xs" variant="default" onClick={onSelectNode}>
          Select the node
        </Button>
        <CopyButton value={[title, ...rows.map(([name, text]) => `${name}: ${text}`)].join('\n')}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? 'Copied' : 'Copy'}>
              <ActionIcon size={26} variant="default" aria-label="Copy the properties" onClick={copy}>
                {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      </Group>
    </Stack>
  )
}

function nameType(values: SceneValues, value: number): string {
  const name = TYPE_NAMES[values.typeOf(value)]
  return values.isClosed(value) ? `Closed ${name.toLowerCase()}` : name
}

function listProperties(values: SceneValues, value: number, namePort: NamePort, unit: string): Row[] {
  const { nodeInstanceId, portInstanceId, path, index } = values.describe(value)
  const { node, port } = namePort(nodeInstanceId, portInstanceId)
  const measure = measureValue(values, value)
  const colour = values.colours[value]!
  const hex = `#${(colour >>> 8).toString(16).padStart(6, '0')}`
  const size = measureBox(values, value)
  const rows: (Row | false | undefined)[] = [
    ['Node', node],
    port !== node && ['Port', port],
    ['Path', path],
    ['Index', String(index)],
    measure && [
      measure.what,
      `${measure.isExact ? '' : '≈ '}${formatNumber(measure.amount)} ${toUnit(unit, measure.what)}`.trim(),
    ],
    size.some((length) => length > 0) && [
      'Size',
      `${size.map((length) => formatNumber(length, SIZE_DIGITS)).join(' × ')} ${unit}`.trim(),
    ],
    colour !== 0 && ['Colour', hex, hex],
  ]
  return rows.filter((row): row is Row => Boolean(row))
}

const toUnit = (unit: string, what: string): string => (unit && what === 'Area' ? `${unit}²` : unit)
