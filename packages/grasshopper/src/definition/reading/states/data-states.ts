import type {
  ClusterState,
  ExpressionState,
  GradientState,
  GraphMapperState,
  ImageSamplerState,
  PathMapperState,
  Range,
  TimerState,
} from '@meadow/document'
import type { Chunk } from '../../../archive/tree/archive.ts'
import { findChunk, findItem, listChunks, listItems } from '../../../archive/tree/find.ts'
import { formatColour } from '../../model/colour.ts'
import type { DefinitionObject } from '../../model/definition-object.ts'
import { findLinkedPath } from '../../model/file-parts.ts'
import { findSize } from '../../model/layout.ts'
import { findText, toFinite } from '../../model/text.ts'

export function readExpressionState({ container }: DefinitionObject): ExpressionState {
  const expression = findText(container, 'Expression') ?? findText(container, 'Equation') ?? ''
  return { kind: 'expression', expression }
}

export function readPathMapperState({ container }: DefinitionObject): PathMapperState {
  const lexers = findChunk(container, 'lexers')
  const sources = lexers ? listItems(lexers, 'source', 'string') : []
  const targets = lexers ? listItems(lexers, 'target', 'string') : []
  const rules = sources.map((source, i) => ({
    source: source.toWellFormed(),
    target: (targets[i] ?? '').toWellFormed(),
  }))
  return { kind: 'pathMapper', rules }
}

/** Grips are cpx and cpy, or px and py in a chunk Equation. */
export function readGraphMapperState(object: DefinitionObject): GraphMapperState {
  const local = findChunk(object.container, 'LocalGraph')
  const domain = local && findChunk(local, 'Domain')
  const graph = local && findChunk(local, 'Graph')
  const equation = graph && findChunk(graph, 'Equation')
  const name = graph && findText(graph, 'container_name')
  const size = findSize(object)
  return {
    kind: 'graphMapper',
    ...(name ? { graph: name } : {}),
    points: equation ? listPoints(equation, 'px', 'py') : graph ? listPoints(graph, 'cpx', 'cpy') : [],
    x: readBounds(domain, 'x0', 'x1'),
    y: readBounds(domain, 'y0', 'y1'),
    ...(size ? { size } : {}),
  }
}

function listPoints(chunk: Chunk, x: string, y: string): GraphMapperState['points'] {
  const ys = listItems(chunk, y, 'double')
  return listItems(chunk, x, 'double').map((value, i) => [toFinite(value), toFinite(ys[i])])
}

export function readGradientState({ container }: DefinitionObject): GradientState {
  const gradient = findChunk(container, 'Gradient')
  const grips = gradient ? listChunks(gradient, 'Grip') : []
  return {
    kind: 'gradient',
    isLinear: (gradient && findItem(gradient, 'Linear', 'bool')) ?? false,
    grips: grips.map((grip) => ({
      position: toFinite(findItem(grip, 'Factor', 'double')),
      left: formatColour(findItem(grip, 'Colour', 'drawing_color', 0) ?? 0xff000000),
      right: formatColour(findItem(grip, 'Colour', 'drawing_color', 1) ?? 0xff000000),
    })),
  }
}

export function readImageSamplerState(object: DefinitionObject): ImageSamplerState {
  const { container } = object
  const size = findSize(object)
  return {
    kind: 'imageSampler',
    path: findText(container, 'FilePath') ?? '',
    filter: findText(container, 'Filter') ?? 'Colour',
    wrap: findItem(container, 'Wrap', 'int32') ?? 0,
    interpolates: findItem(container, 'Interpolate', 'bool') ?? false,
    u: readBounds(container, 'Umin', 'Umax'),
    v: readBounds(container, 'Vmin', 'Vmax'),
    ...(size ? { size } : {}),
  }
}

/** A cluster behind a password has its document encrypted. */
export function readClusterState({ container }: DefinitionObject): ClusterState {
  const path = findLinkedPath(container)
  return {
    kind: 'cluster',
    isProtected: container.items.some(({ name }) => name === 'EncryptedDocument'),
    ...(path ? { path } : {}),
  }
}

export function readTimerState({ container }: DefinitionObject): TimerState {
  return {
    kind: 'timer',
    intervalMs: findItem(container, 'TimerInterval', 'int32') ?? 0,
    targetIds: listItems(container, 'Target', 'guid'),
  }
}

/** Reads an interval item; 0 to 1 by default. */
export function readInterval(chunk: Chunk, name: string): Range {
  const interval = findItem(chunk, name, 'interval1d')
  return { start: toFinite(interval?.a), end: toFinite(interval?.b, 1) }
}

/** Reads an interval of two number items; 0 to 1 by default. */
function readBounds(chunk: Chunk | undefined, start: string, end: string): Range {
  return {
    start: toFinite(chunk && findItem(chunk, start, 'double')),
    end: toFinite(chunk && findItem(chunk, end, 'double'), 1),
  }
}
