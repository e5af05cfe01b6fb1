import { iconOf } from './icon-of.ts'

/** The width of strokes on the grid of 24 by 24. */
const STROKE = 1.5
const TONES = { first: 'currentColor', second: 'var(--icon-tone)' }

/** The parts of an icon, inside of an `<svg>` with a grid of 24 by 24. */
export function drawIcon(templateId: string) {
  return iconOf(templateId).map((part, index) => {
    const { tone, scale = 1 } = part
    const transform = scale === 1 ? undefined : `scale(${scale})`
    const colour = TONES[tone]
    return 'text' in part ? (
      <text
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an icon never change.
        key={index}
        x={part.x}
        y={part.y}
        fontSize={part.size}
        fontWeight={600}
        textAnchor="middle"
        dominantBaseline="central"
        fill={colour}
        transform={transform}
      >
        {part.text}
      </text>
    ) : (
      <path
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an icon never change.
        key={index}
        d={part.path}
        fill={part.fill === 'none' ? 'none' : colour}
        fillOpacity={part.fill === 'pale' ? 0.3 : undefined}
        stroke={part.fill === 'none' ? colour : 'none'}
        strokeWidth={STROKE / scale}
        strokeLinecap="round"
        strokeLinejoin="round"
        transform={transform}
      />
    )
  })
}
