import { ColorSwatch, Text, UnstyledButton } from '@mantine/core'
import { formatNumber } from '../scene/measures.ts'
import type { NamePort } from '../tools/object-panel.tsx'
import styles from '../tools/tools.module.css'
import type { ColourChoice } from './colour-choice.ts'
import type { Category, Coloured, PortMatch } from './colour-values.ts'
import { colourAt } from './scales.ts'

interface ScaleBarProps {
  scale: NonNullable<Coloured['scale']>
  choice: ColourChoice
  /** The value of the object that is pointed at. */
  at: number | string | undefined
  isApproximate: boolean
}

/** The number of colours in the bar, which is enough for its width. */
const STOPS = 40

/** The colours of numbers, from the smallest to the largest. */
export function ScaleBar({ scale: { min, max, domain, unit }, choice, at, isApproximate }: ScaleBarProps) {
  const [from, to] = domain
  const share = typeof at === 'number' && to > from ? (at - from) / (to - from) : undefined
  const isCut = min < from || max > to
  return (
    <div role="img" aria-label={`Colours from ${formatNumber(from)} to ${formatNumber(to)} ${unit}`.trim()}>
      <div className={styles.scale} style={{ background: toGradient(choice) }}>
        {share !== undefined && (
          <span className={styles.mark} style={{ left: `${Math.min(Math.max(share, 0), 1) * 100}%` }} />
        )}
      </div>
      <div className={styles.ends}>
        <span>{formatNumber(from)}</span>
        {unit && <span>{unit}</span>}
        <span>{formatNumber(to)}</span>
      </div>
      {isCut && (
        <Text size="xs" c="dimmed">
          Values go from {formatNumber(min)} to {formatNumber(max)}: those beyond have the colours of the
          ends.
        </Text>
      )}
      {isApproximate && (
        <Text size="xs" c="dimmed">
          Measured on the drawing where the solver did not compute it.
        </Text>
      )}
    </div>
  )
}

function toGradient(choice: ColourChoice): string {
  const stops = Array.from({ length: STOPS }, (_, i) => {
    const colour = colourAt((i + 0.5) / STOPS, choice)
    return choice.steps > 1
      ? `${colour} ${(i / STOPS) * 100}% ${((i + 1) / STOPS) * 100}%`
      : `${colour} ${(i / (STOPS - 1)) * 100}%`
  })
  return `linear-gradient(to right, ${stops.join(', ')})`
}

interface CategoryListProps {
  categories: readonly Category[]
  onSelect: (category: Category) => void
}

/** What each colour stands for. A click selects the objects. */
export function CategoryList({ categories, onSelect }: CategoryListProps) {
  return (
    <ul className={styles.categories} aria-label="Colours">
      {categories.map((category, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several nodes may have one name.
        <li key={position}>
          <UnstyledButton
            className={styles.category}
            title="Select these objects"
            onClick={() => onSelect(category)}
          >
            <ColorSwatch component="span" size={12} color={category.colour} withShadow={false} />
            <span className={styles.name}>{category.name || 'Empty text'}</span>
            <span className={styles.count}>{category.numbers.length.toLocaleString()}</span>
          </UnstyledButton>
        </li>
      ))}
    </ul>
  )
}

const METHODS: Record<PortMatch['method'], string> = {
  path: 'by path and index',
  order: 'by order, since the trees differ and have as many items',
  none: 'not at all: its tree is another one',
}

/** How objects got their values. */
export function Matches({ matches, namePort }: { matches: readonly PortMatch[]; namePort: NamePort }) {
  if (matches.length === 0) return null
  const matched = matches.filter(({ method }) => method !== 'none')
  const rest = matches.length - matched.length
  return (
    <details className={styles.details} open={matched.length === 0}>
      <summary>{matched.length === 0 ? 'No objects were matched' : 'How objects were matched'}</summary>
      <ul className={styles.matches}>
        {matched.map(({ nodeInstanceId, portInstanceId, method, known, objects }) => {
          const { node, port } = namePort(nodeInstanceId, portInstanceId)
          return (
            <li key={`${nodeInstanceId} ${portInstanceId}`}>
              {port && port !== node ? `${node}: ${port}` : node}: {known.toLocaleString()} of{' '}
              {objects.toLocaleString()}, {METHODS[method]}
            </li>
          )
        })}
        {rest > 0 && (
          <li>
            {rest === 1 ? '1 more output' : `${rest.toLocaleString()} outputs`}: {METHODS.none}
          </li>
        )}
      </ul>
    </details>
  )
}
