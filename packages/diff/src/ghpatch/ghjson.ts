import type { DataTree, DataValue, Node, NodeState, Port, Xyz } from '@meadow/document'

/*
 * What GhJSON 1.0 says of a node (github.com/architects-toolkit/ghjson-spec, draft of May 2026), as far as a GhPatch needs
 * it. Where its text and its schemas differ, the schemas are followed.
 */

export type Json = Record<string, unknown>

/** An argb colour of `#rrggbbaa`. */
export function toArgb(colour: string): string {
  const [red, green, blue, alpha] = [1, 3, 5, 7].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  return `argb:${alpha},${red},${green},${blue}`
}

export const toPivot = ({ x, y }: Node['position']): string => `${toDecimal(x)},${toDecimal(y)}`

/** Without an exponent, which the format does not allow. */
const toDecimal = (number: number): string =>
  Math.abs(number) < 1e-6 ? '0' : String(Number(number.toFixed(6)))

/** The state of sliders, panels, toggles … by the name of its extension; undefined for classes without one. */
export function findExtension(node: Node): { key: string; value: Json } | undefined {
  const state = node.state as NodeState | undefined
  const own = node.values[node.instanceId]?.branches[0]?.values[0]
  switch (state?.kind) {
    case 'slider': {
      const { minimum, maximum, interval } = state
      const value = own && 'value' in own ? String(own.value) : String(minimum)
      const rounding = { real: 'None', integer: 'Round', even: 'Even', odd: 'Odd' }[interval]
      return { key: 'gh.numberslider', value: { value: `${value}<${minimum},${maximum}>`, rounding } }
    }
    case 'panel': {
      const { text, isMultiline, wraps, alignment, size } = state
      const bounds = size ? { bounds: `bounds:${size.width}x${size.height}` } : {}
      const side = ['left', 'centre', 'right'].indexOf(alignment)
      return {
        key: 'gh.panel',
        value: { value: text, multiline: isMultiline, wrap: wraps, alignment: side, ...bounds },
      }
    }
    case 'valueList': {
      const modes = { checkList: 'CheckList', dropDown: 'DropDown', sequence: 'Sequence', cycle: 'Cycle' }
      const listItems = state.items.map(({ name, expression, isSelected }) => ({
        name,
        expression,
        selected: isSelected,
      }))
      return { key: 'gh.valuelist', value: { listMode: modes[state.mode], listItems } }
    }
    case 'script': {
      const { language, source, imports = '', members = '' } = state
      if (language === 'vb')
        return { key: 'gh.vbscript', value: { vbCode: { imports, script: source, additional: members } } }
      const keys = { csharp: 'gh.csharp', python3: 'gh.python', python2: 'gh.ironpython', unknown: undefined }
      const key = keys[language]
      return key === undefined || imports !== '' || members !== ''
        ? undefined
        : { key, value: { code: source } }
    }
    default:
      return own?.type === 'boolean' && node.templateId === TOGGLE
        ? { key: 'gh.toggle', value: { value: own.value } }
        : undefined
  }
}

const TOGGLE = '2e78987b-9dfb-42a2-8b76-3923ac8bd91a'

/** Members of a state that are in its extension. */
const EXPRESSED: Readonly<Record<string, readonly string[]>> = {
  slider: ['minimum', 'maximum', 'interval'],
  panel: ['text', 'isMultiline', 'wraps', 'alignment', 'size'],
  valueList: ['mode', 'items'],
}

export const isExpressed = (kind: unknown, member: string): boolean =>
  EXPRESSED[String(kind)]?.includes(member) === true

/** What the settings of a parameter say of a port. */
export function toSettings(port: Port, tree: DataTree | undefined): Json {
  const data = tree && toInternalizedData(tree)
  return {
    parameterName: port.name,
    ...(port.nickName !== port.name ? { nickName: port.nickName } : {}),
    ...(port.flags.length > 0 ? toModifiers(port.flags) : {}),
    ...(port.expression ? { expression: port.expression } : {}),
    ...(data ? { internalizedData: data } : {}),
  }
}

export function toModifiers(flags: Port['flags']): Json {
  const dataMapping = flags.includes('graft') ? 'Graft' : flags.includes('flatten') ? 'Flatten' : 'None'
  return { dataMapping, isReversed: flags.includes('reverse'), isSimplified: flags.includes('simplify') }
}

/** Options of a port with a name of their own. */
export const OPTIONS = {
  principal: 'isPrincipal',
  reparameterize: 'isReparameterized',
  invert: 'isInverted',
} as const

/** The values of a port; undefined when one of them has no form in the format. */
export function toInternalizedData({ branches }: DataTree): Json | undefined {
  const data: Record<string, Record<string, string>> = {}
  for (const { path, values } of branches) {
    const items: [string, string][] = []
    for (const [index, value] of values.entries()) {
      const text = value && writeValue(value)
      if (!text) return undefined
      items.push([`${path}(${index})`, text])
    }
    data[path] = Object.fromEntries(items)
  }
  return data
}

function writeValue(value: DataValue): string | undefined {
  if (value.referenceId) return undefined
  const xyz = (point: Xyz) => point.join(',')
  switch (value.type) {
    case 'string':
      return `text:${value.value}`
    case 'number':
    case 'integer':
    case 'boolean':
      return `${value.type}:${value.value}`
    case 'point':
      return `pointXYZ:${xyz(value.value)}`
    case 'vector':
      return `vectorXYZ:${xyz(value.value)}`
    case 'line':
      return `line2p:${xyz(value.value.from)};${xyz(value.value.to)}`
    case 'plane':
      return `planeOXY:${xyz(value.value.origin)};${xyz(value.value.xAxis)};${xyz(value.value.yAxis)}`
    case 'domain':
      return `interval:${value.value.start}<${value.value.end}`
    case 'colour':
      return toArgb(value.value)
    default:
      return undefined
  }
}
