import type { DataBranch, DataValue, Node } from '@meadow/contract'

/** A value on one line, for people. */
export function formatValue(value: DataBranch['values'][number]): string {
  if (value === null) return 'null'
  const plain = value.value
  switch (value.type) {
    case 'string':
      return plain as string
    case 'number':
    case 'integer':
      return typeof plain === 'number' ? formatNumber(plain) : String(plain)
    case 'boolean':
      return plain ? 'True' : 'False'
    case 'point':
    case 'vector':
      return `{${(plain as unknown[]).map(formatAny).join(', ')}}`
    default:
      return isDescribed(plain) ? plain.description : `${value.type} ${formatAny(plain)}`
  }
}

const formatNumber = (value: number) => String(Number(value.toPrecision(10)))

const isDescribed = (value: unknown): value is { description: string } =>
  typeof value === 'object' && value !== null && 'description' in value

function formatAny(value: unknown): string {
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return `{${value.map(formatAny).join(', ')}}`
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([name, part]) => `${name} ${formatAny(part)}`)
      .join(', ')
  return String(value)
}

/** The first value that was typed into a parameter object. */
export function findOwnValue(node: Node): DataValue | undefined {
  return node.values[node.instanceId]?.branches[0]?.values[0] ?? undefined
}
