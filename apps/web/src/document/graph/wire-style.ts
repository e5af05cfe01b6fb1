import type { PortSummary } from '@meadow/contract/web'

/** As Grasshopper draws wires: one line for an item, two for a list, two dashed ones for a tree. */
export type WireStyle = 'unknown' | 'empty' | 'item' | 'list' | 'tree'

export function wireStyleOf(summary: PortSummary | undefined): WireStyle {
  if (!summary) return 'unknown'
  const { branches, values } = summary
  if (values === 0) return 'empty'
  if (branches > 1) return 'tree'
  return values > 1 ? 'list' : 'item'
}

/**
 * How far the grips of a wire's curve lie from its ends, level with them: it leaves and arrives as Grasshopper's do.
 * In canvas units.
 */
export const reachOf = (fromX: number, fromY: number, toX: number, toY: number): number =>
  Math.max(Math.abs(toX - fromX) * 0.5, Math.min(80, Math.abs(toY - fromY) * 0.5 + 20))
