import type { DataBranch } from '@meadow/contract'

/** A value as one line of text. */
export function formatValue(value: DataBranch['values'][number]): string {
  if (value === null) return 'null'
  const content = value.value
  switch (value.type) {
    case 'string':
      return content as string
    case 'number':
    case 'integer':
      return typeof content === 'number' ? formatNumber(content) : String(content)
    case 'boolean':
      return content ? 'True' : 'False'
    case 'point':
    case 'vector':
      return `{${(content as unknown[]).map(formatAny).join(', ')}}`
    default:
      return isDescribed(content) ? content.description : `${value.type} ${formatAny(content)}`
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
