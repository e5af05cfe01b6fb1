import type { PanelState, ScribbleState, SketchState, Xy } from '@meadow/document'
import type { Chunk, Xy as ItemXy } from '../../../archive/tree/archive.ts'
import { findChunk, findItem, listChunks, listItems } from '../../../archive/tree/find.ts'
import { formatColour } from '../../model/colour.ts'
import type { DefinitionObject } from '../../model/definition-object.ts'
import { findSize, readPosition } from '../../model/layout.ts'
import { findText, toFinite, unifyLineEnds } from '../../model/text.ts'
import { isMultiline } from '../values/chosen-values.ts'

const ALIGNMENTS = ['left', 'left', 'centre', 'right'] as const
/** The colour of a new panel, 0xAARRGGBB. */
const PANEL_COLOUR = 0xfffffa5a

/** Panels of 2011 have their switches in the Container. */
export function readPanelState(object: DefinitionObject): PanelState {
  const { container } = object
  const properties = findChunk(container, 'PanelProperties')
  const at = properties ?? container
  const size = findSize(object)
  return {
    kind: 'panel',
    text: unifyLineEnds(findText(container, 'UserText') ?? ''),
    isMultiline: isMultiline(container),
    colour: formatColour(findItem(at, 'Colour', 'drawing_color') ?? PANEL_COLOUR),
    alignment: ALIGNMENTS[findItem(at, 'Alignment', 'int32') ?? 0] ?? 'left',
    wraps: findItem(at, 'Wrap', 'bool') ?? true,
    drawsIndices: findItem(at, properties ? 'DrawIndices' : 'EntryNumbers', 'bool') ?? true,
    drawsPaths: findItem(at, 'DrawPaths', 'bool') ?? true,
    ...(size ? { size } : {}),
  }
}

/** The items of a scribble's corners, from the top left clockwise. */
export const CORNERS = ['Ca', 'Cb', 'Cc', 'Cd'] as const

export function readScribbleState(object: DefinitionObject): ScribbleState {
  const { container } = object
  const position = readPosition(object)
  const corners = CORNERS.flatMap((name) => {
    const corner = findItem(container, name, 'drawing_pointf')
    return corner ? [toOffset(corner, position)] : []
  })
  return {
    kind: 'scribble',
    text: unifyLineEnds(findText(container, 'Text') ?? ''),
    font: findText(container, 'Font') ?? '',
    fontSize: toFinite(findItem(container, 'Size', 'single')),
    isBold: findItem(container, 'Bold', 'bool') ?? false,
    isItalic: findItem(container, 'Italic', 'bool') ?? false,
    corners,
  }
}

export function readSketchState(object: DefinitionObject): SketchState {
  const { container } = object
  const position = readPosition(object)
  const attributes = findChunk(container, 'Attributes')
  const look = attributes && findChunk(attributes, 'SketchProperties')
  return {
    kind: 'sketch',
    lines: listChunks(container, 'Mark').map((chunk) => toLine(chunk, position)),
    colour: formatColour((look && findItem(look, 'Color', 'drawing_color')) ?? 0xff000000),
    width: toFinite(look && findItem(look, 'Width', 'single'), 1),
  }
}

function toLine(chunk: Chunk, position: ItemXy): Xy[] {
  return listItems(chunk, 'V', 'point2d').map((point) => toOffset(point, position))
}

/** Positions in files are singles: offsets with more precision than this would change when a node moves. */
const STEPS = 32

function toOffset(point: ItemXy, from: ItemXy): Xy {
  const round = (offset: number) => Math.round(offset * STEPS) / STEPS
  return [round(toFinite(point.x) - from.x), round(toFinite(point.y) - from.y)]
}
