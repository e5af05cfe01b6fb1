import {
  ActionIcon,
  Checkbox,
  CloseButton,
  Group,
  NumberInput,
  Select,
  Stack,
  Text,
  TextInput,
  Tooltip,
} from '@mantine/core'
import type { GraphContent, PortReference } from '@meadow/contract'
import type { EditorSolution } from '@meadow/contract/web'
import { useEffect, useMemo } from 'react'
import { CopyButton } from '../../../shell/copy-button.tsx'
import { Failure } from '../../../shell/failure.tsx'
import { IconCheck, IconLink } from '../../../shell/icons.ts'
import { readNumber } from '../../../shell/read-number.ts'
import { usePortValues, type ValueSource } from '../../values/port-values.ts'
import { type Choices, chooseLooks } from '../scene/looks.ts'
import type { Paint, SceneValue, SceneValues } from '../scene/scene-values.ts'
import type { NamePort } from '../tools/object-panel.tsx'
import styles from '../tools/tools.module.css'
import { addressWith, type ColourBy, type ColourChoice, MAX_STEPS, type ScaleName } from './colour-choice.ts'
import { type ColourContext, type Coloured, colourValues, countShown } from './colour-values.ts'
import { CategoryList, Matches, ScaleBar } from './legend.tsx'
import { listDataPorts, readPortOption, writePortOption } from './list-data-ports.ts'

/** What objects of the view can be coloured by, beside what the scene itself tells. */
export interface ViewData extends Omit<ValueSource, 'documentId'> {
  content: GraphContent
  /** The stored solution, or the preview in its place. */
  solution: EditorSolution | undefined
}

export interface ColourPanelProps {
  documentId: string
  data: ViewData
  choice: ColourChoice
  onChoice: (choice: ColourChoice) => void
  /** The values of the scene that is shown. */
  values: SceneValues | undefined
  /** What is visible and chosen. Hidden objects are not counted. */
  choices: Choices
  /** The object under the pointer, or the one that is selected. */
  pointed: SceneValue | undefined
  namePort: NamePort
  unit: string
  onPaint: (paint: Paint | undefined) => void
  onSelect: (values: readonly SceneValue[]) => void
  onClose: () => void
}

/** The largest number of values that are looked at; if there are more, the panel says so. */
const MAX_VALUES = 1_000_000

const BY_NAMES: Record<Exclude<ColourBy, 'port'>, string> = {
  node: 'Node',
  path: 'Path',
  index: 'Index in the branch',
  type: 'Type of object',
  length: 'Length of curves',
  area: 'Area of surfaces and bodies',
}

const SCALE_LABELS: Record<ScaleName, string> = {
  viridis: 'Viridis',
  cividis: 'Cividis',
  diverging: 'Diverging, orange to purple',
  categories: 'A colour for each number',
}

/** Chooses what objects are coloured by, colours them, and says what the colours mean. */
export function ColourPanel(props: ColourPanelProps) {
  const { documentId, data, choice, onChoice, values, choices, pointed, namePort, unit } = props
  const { onPaint, onSelect, onClose } = props
  const { content, solution } = data
  const port = useMemo(() => toPort(choice), [choice])
  const loading = usePortValues(
    { documentId, solutionId: data.solutionId, preview: data.preview },
    port,
    MAX_VALUES,
  )
  const portValues = port && loading.values
  const context = useMemo<ColourContext>(
    () => ({
      choice,
      data: portValues,
      summaryOf: (nodeId, portId) => solution?.nodes[nodeId]?.ports[portId],
      nameNode: (nodeId) => content.nodes[nodeId]?.nickName ?? 'A node that is gone',
      unit,
    }),
    [choice, portValues, solution, content, unit],
  )
  const painter = useMemo(() => createPainter(context), [context])
  useEffect(() => onPaint(painter.paint), [painter, onPaint])
  useEffect(() => () => onPaint(undefined), [onPaint])
  const coloured = useMemo(
    () => values && countShown(painter.colour(values), values, chooseLooks(values, choices, true)),
    [painter, values, choices],
  )
  const options = useMemo(() => listDataPorts({ content, solution, chosen: port }), [content, solution, port])
  const scale = coloured?.scale
  const isNumeric = scale !== undefined || choice.scale === 'categories'
  const number = values && pointed && values.find(pointed)
  return (
    <Stack className={styles.panel} gap={6} role="group" aria-label="Colour by data">
      <Group gap={6} wrap="nowrap" justify="space-between">
        <Text size="sm" fw={600}>
          Colour by
        </Text>
        <Group gap={2} wrap="nowrap">
          <CopyButton value={addressWith(choice)}>
            {({ copied, copy }) => (
              <Tooltip label={copied ? 'Copied' : 'Copy a link with these colours'}>
                <ActionIcon
                  size={28}
                  variant="default"
                  aria-label="Copy a link with these colours"
                  onClick={copy}
                >
                  {copied ? <IconCheck size={15} /> : <IconLink size={15} />}
                </ActionIcon>
              </Tooltip>
            )}
          </CopyButton>
          <CloseButton size={28} aria-label="Show the usual colours" onClick={onClose} />
        </Group>
      </Group>
      <Select
        size="xs"
        aria-label="What to colour by"
        searchable
        allowDeselect={false}
        nothingFoundMessage="No such output"
        comboboxProps={{ width: 280, position: 'bottom-end' }}
        data={[
          {
            group: 'Objects',
            items: Object.entries(BY_NAMES).map(([value, label]) => ({ value, label })),
          },
          { group: 'Values of an output', items: options },
        ]}
        value={port ? writePortOption(port) : choice.by}
        onChange={(value) => {
          if (!value) return
          const chosen = readPortOption(value)
          const { domain: _, nodeInstanceId: __, portInstanceId: ___, ...rest } = choice
          onChoice(chosen ? { ...rest, by: 'port', ...chosen } : { ...rest, by: value as ColourBy })
        }}
      />
      {port && !content.nodes[port.nodeInstanceId] && (
        <Text size="xs">The node of these values is not in the document any more.</Text>
      )}
      {port && loading.isLoading && !portValues && (
        <Text size="xs" c="dimmed">
          Loading: {loading.progress.toLocaleString()} values
        </Text>
      )}
      {port && loading.error && !portValues && <Failure error={loading.error} retry={loading.retry} />}
      {scale && coloured.known > 0 && (
        <ScaleBar
          scale={scale}
          choice={choice}
          at={number === undefined ? undefined : coloured.keyOf(number)}
          isApproximate={choice.by === 'length' || choice.by === 'area'}
        />
      )}
      {coloured && coloured.categories.length > 0 && (
        <CategoryList
          categories={coloured.categories}
          onSelect={({ numbers }) => onSelect(numbers.map((value) => values!.describe(value)))}
        />
      )}
      {coloured && (!port || portValues) && <Counts coloured={coloured} pointed={number} />}
      {coloured && portValues && <Matches matches={coloured.matches} namePort={namePort} />}
      {portValues && portValues.loaded < portValues.total && (
        <Text size="xs">
          Of {portValues.total.toLocaleString()} values the first {portValues.loaded.toLocaleString()} are
          used.
        </Text>
      )}
      {isNumeric && <ScaleSettings choice={choice} scale={scale} onChoice={onChoice} />}
    </Stack>
  )
}

const toPort = ({ by, nodeInstanceId, portInstanceId }: ColourChoice): PortReference | undefined =>
  by === 'port' && nodeInstanceId && portInstanceId ? { nodeInstanceId, portInstanceId } : undefined

/** Colours each scene once, for the view and for the legend. */
function createPainter(context: ColourContext) {
  let last: { values: SceneValues; coloured: Coloured } | undefined
  const colour = (values: SceneValues): Coloured => {
    if (last?.values !== values) last = { values, coloured: colourValues(values, context) }
    return last.coloured
  }
  return { colour, paint: (values: SceneValues) => colour(values).colours }
}

/** How many objects have a value, and the value of the one under the pointer. */
function Counts({ coloured, pointed }: { coloured: Coloured; pointed: number | undefined }) {
  const { known, unknown, keyOf } = coloured
  const value = pointed === undefined ? undefined : keyOf(pointed)
  return (
    <Text size="xs" c="dimmed" aria-live="polite">
      {pointed !== undefined && (
        <Text component="span" inherit fw={600} c="bright">
          {value === undefined ? 'No value' : coloured.describe(value)}
          {' · '}
        </Text>
      )}
      {known.toLocaleString()} {known === 1 ? 'object' : 'objects'}
      {unknown > 0 && `, ${unknown.toLocaleString()} more without a value (grey)`}
    </Text>
  )
}

interface ScaleSettingsProps {
  choice: ColourChoice
  scale: Coloured['scale']
  onChoice: (choice: ColourChoice) => void
}

function ScaleSettings({ choice, scale, onChoice }: ScaleSettingsProps) {
  const { domain, ...automatic } = choice
  const { steps, isReversed } = choice
  const onChange = (next: Partial<ColourChoice>) => onChoice({ ...choice, ...next })
  const setEnd = (end: 0 | 1, typed: string) => {
    if (!scale) return
    const next: [number, number] = [...(domain ?? scale.domain)]
    next[end] = readNumber(typed)
    if (next[0] < next[1]) onChange({ domain: next })
  }
  return (
    <details className={styles.details}>
      <summary>Scale</summary>
      <Stack gap={6} pt={4}>
        <Select
          size="xs"
          aria-label="The scale of colours"
          allowDeselect={false}
          comboboxProps={{ position: 'bottom-end' }}
          data={Object.entries(SCALE_LABELS).map(([value, label]) => ({ value, label }))}
          value={choice.scale}
          onChange={(value) => value && onChange({ scale: value as ScaleName })}
        />
        {scale && (
          <>
            <Group gap={6} grow wrap="nowrap">
              {(['From', 'To'] as const).map((label, end) => (
                <TextInput
                  key={`${label} ${(domain ?? scale.domain)[end]}`}
                  size="xs"
                  label={label}
                  defaultValue={String(Number((domain ?? scale.domain)[end]!.toPrecision(7)))}
                  onBlur={({ currentTarget }) => setEnd(end as 0 | 1, currentTarget.value)}
                  onKeyDown={({ key, currentTarget }) =>
                    key === 'Enter' && setEnd(end as 0 | 1, currentTarget.value)
                  }
                />
              ))}
            </Group>
            <Checkbox
              size="xs"
              label="From the smallest to the largest"
              checked={!domain}
              onChange={({ currentTarget }) => {
                onChoice(currentTarget.checked ? automatic : { ...choice, domain: scale.domain })
              }}
            />
            <Group gap={6} grow align="end" wrap="nowrap">
              <NumberInput
                size="xs"
                label="Steps"
                min={0}
                max={MAX_STEPS}
                value={steps}
                onChange={(value) =>
                  onChange({ steps: Math.min(Math.max(Number(value) || 0, 0), MAX_STEPS) })
                }
              />
              <Checkbox
                size="xs"
                pb={7}
                label="Reversed"
                checked={isReversed}
                onChange={({ currentTarget }) => onChange({ isReversed: currentTarget.checked })}
              />
            </Group>
          </>
        )}
      </Stack>
    </details>
  )
}
