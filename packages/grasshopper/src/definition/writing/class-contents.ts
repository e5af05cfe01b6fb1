import type { Node } from '@meadow/document'
import type { Chunk, Item } from '../../archive/tree/archive.ts'
import { createChunk, createItem } from '../../archive/tree/edit.ts'
import { CLASS } from '../model/class-ids.ts'
import { stableGuid } from '../model/stable-guid.ts'

type Parts = (Item | Chunk)[]

const WHITE = 0xffffffff
const GREEN = 0xff008000
const YELLOW = 0xffffff00
const RED = 0xffff0000
const ORANGE = 0xffffa500
const LAWN_GREEN = 0xff7cfc00
/** Represents no limit. */
const NO_LIMIT = 2147483647

/** The content of a new object's Container that depends on its class, with Grasshopper's defaults. The state is written over it. */
export function listClassParts(node: Node): Parts {
  return PARTS.get(node.templateId)?.(node) ?? []
}

const PARTS = new Map<string, (node: Node) => Parts>([
  [CLASS.numberSlider, listSlider],
  [CLASS.mdSlider, listMdSlider],
  [CLASS.controlKnob, listKnob],
  [CLASS.genePool, listGenePool],
  [CLASS.panel, listPanel],
  [CLASS.valueList, listValueList],
  [CLASS.booleanToggle, () => [createItem('bool', 'ToggleValue', false)]],
  [
    CLASS.button,
    () => [
      createItem('string', 'ExpressionNormal', 'False'),
      createItem('string', 'ExpressionPressed', 'True'),
    ],
  ],
  [CLASS.colourSwatch, () => [createItem('drawing_color', 'SwatchColor', WHITE)]],
  [CLASS.scribble, listScribble],
  [CLASS.sketch, () => [createItem('int32', 'MarkCount', 0)]],
  [CLASS.expression, () => [createItem('string', 'Expression', '')]],
  [CLASS.pathMapper, () => [createChunk('lexers', [createItem('int32', 'lexer_count', 0)])]],
  [CLASS.graphMapper, listGraphMapper],
  [CLASS.gradient, (node) => listGradient(node, [GREEN, YELLOW, RED])],
  [CLASS.imageSampler, listImageSampler],
  [CLASS.trigger, () => [createItem('int32', 'TimerInterval', 1000), createItem('int32', 'TargetCount', 0)]],
  [CLASS.listItem, () => [createItem('int32', 'BaseOutputIndex', 0)]],
  [CLASS.dataDam, () => [createItem('int64', 'BufferDelay', 0n), createItem('int32', 'BufferMode', 0)]],
  [
    CLASS.getNumber,
    () => [...listContextual(), ...listLimits('double', Number.MAX_VALUE, -Number.MAX_VALUE)],
  ],
  [CLASS.getInteger, () => [...listContextual(), ...listLimits('int32', NO_LIMIT, -NO_LIMIT - 1)]],
  [CLASS.getString, () => [...listContextual(), createItem('int32', 'ListCount', 0)]],
  [CLASS.getPoint, () => [...listContextual(), createItem('bool', 'Realtime', true)]],
  [CLASS.getLine, listContextual],
  [CLASS.getGeometry, () => [...listContextual(), createItem('int64', 'Filter', 1_074_004_029n)]],
  [CLASS.customPreview, () => [createItem('string', 'ViewportFilter', '')]],
  [CLASS.cloudDisplay, () => [createItem('int32', 'SpriteType', 0)]],
  [CLASS.geometryPipeline, () => [createItem('bool', 'SublayerFiltering', true)]],
  [
    CLASS.paramViewer,
    () => [createItem('bool', 'DisplayGraph', false), createItem('double', 'ScrollRatio', 0)],
  ],
  [CLASS.splitArgb, () => [createItem('bool', 'IntegerChannels', true)]],
  [CLASS.quickGraph, () => [createItem('int32', 'SortOrder', 0)]],
  [CLASS.shortestList, () => [createItem('int32', 'TrimMode', 2)]],
  [
    CLASS.filePath,
    () => [
      createItem('bool', 'ExpireOnFileEvent', false),
      createItem('string', 'FileFilter', 'All files|*.*'),
    ],
  ],
  [CLASS.vectorDisplay, listVectorDisplay],
  [
    CLASS.getBoolean,
    () => [
      ...listContextual(),
      createItem('string', 'FalseValue', 'False'),
      createItem('string', 'TrueValue', 'True'),
    ],
  ],
])

function listScribble(): Parts {
  return [
    createItem('bool', 'Bold', false),
    ...['Ca', 'Cb', 'Cc', 'Cd'].map((name) => createItem('drawing_pointf', name, { x: 0, y: 0 })),
    createItem('string', 'Font', 'Microsoft Sans Serif'),
    createItem('bool', 'Italic', false),
    createItem('single', 'Size', 25),
    createItem('string', 'Text', ''),
  ]
}

function listGraphMapper(): Parts {
  const domain = Object.entries({ x0: 0, x1: 1, y0: 0, y1: 1 })
  return [
    createChunk('LocalGraph', [
      createItem('bool', 'LockGrips', false),
      createChunk(
        'Domain',
        domain.map(([name, value]) => createItem('double', name, value)),
      ),
    ]),
  ]
}

function listVectorDisplay(node: Node): Parts {
  return [
    createItem('bool', 'ApplyGradient', false),
    createItem('int32', 'ArrowHeadMode', 0),
    createItem('double', 'HeadRelativeSize', 0.1),
    createItem('double', 'HeadScreenSize', 15),
    ...listGradient(node, [RED, ORANGE, LAWN_GREEN]),
  ]
}

/** Grips of one colour each, evenly spread. Source: unchanged gradients in public definitions. */
function listGradient({ instanceId }: Node, colours: readonly number[]): Parts {
  const grips = colours.map((colour, i) =>
    createChunk(
      'Grip',
      [
        createItem('drawing_color', 'Colour', colour, 0),
        createItem('drawing_color', 'Colour', colour, 1),
        createItem('double', 'Factor', i / (colours.length - 1)),
        createItem('guid', 'Id', stableGuid('grip', instanceId, String(i))),
      ],
      i,
    ),
  )
  return [
    createChunk('Gradient', [
      createItem('int32', 'GripCount', grips.length),
      createItem('bool', 'Linear', false),
      createItem('bool', 'Locked', false),
      ...grips,
    ]),
  ]
}

function listImageSampler(): Parts {
  const bounds = Object.entries({ Umin: 0, Umax: 1, Vmin: 0, Vmax: 1 })
  return [
    createItem('bool', 'AutoUpdate', true),
    createItem('string', 'FilePath', ''),
    createItem('string', 'Filter', 'Colour'),
    createItem('string', 'ImagePath', ''),
    createItem('bool', 'Interpolate', false),
    createItem('bool', 'SaveInFile', false),
    createItem('int32', 'Wrap', 0),
    ...bounds.map(([name, value]) => createItem('double', name, value)),
  ]
}

function listSlider(): Parts {
  return [
    createChunk('Slider', [
      createItem('int32', 'Digits', 3),
      createItem('int32', 'GripDisplay', 1),
      createItem('int32', 'Interval', 0),
      createItem('double', 'Max', 1),
      createItem('double', 'Min', 0),
      createItem('int32', 'SnapCount', 0),
      createItem('double', 'Value', 0),
    ]),
  ]
}

function listMdSlider(): Parts {
  const unit = { a: 0, b: 1 }
  return [
    createItem('int32', 'SliderMode', 1),
    createItem('point3d', 'slider_value', { x: 0, y: 0, z: 0 }),
    ...['x_domain', 'y_domain', 'z_domain'].map((name) => createItem('interval1d', name, unit)),
  ]
}

function listKnob(): Parts {
  return [
    createChunk('DialData', [
      createItem('int32', 'Decimals', 3),
      createItem('bool', 'Limit', false),
      ...decimals({ Maximum: '1', Minimum: '0', Range: '1', Value: '0' }),
    ]),
  ]
}

function listGenePool(): Parts {
  return [
    createChunk('GeneData', [
      createItem('int32', 'Count', 0),
      createItem('int32', 'Decimals', 2),
      ...decimals({ Maximum: '100', Minimum: '0' }),
    ]),
  ]
}

function decimals(values: Record<string, string>): Item[] {
  return Object.entries(values).map(([name, value]) => createItem('decimal', name, value))
}

function listPanel(): Parts {
  return [
    createItem('double', 'ScrollRatio', 0),
    createItem('string', 'UserText', ''),
    createChunk('PanelProperties', [
      createItem('drawing_color', 'Colour', 0xfffffa5a),
      createItem('bool', 'DrawIndices', true),
      createItem('bool', 'DrawPaths', true),
      createItem('bool', 'Multiline', true),
      createItem('bool', 'SpecialCodes', false),
      createItem('bool', 'Stream', false),
      createItem('bool', 'Wrap', true),
    ]),
  ]
}

function listValueList(): Parts {
  return [createItem('int32', 'ListCount', 0), createItem('int32', 'ListMode', 1)]
}

function listContextual(): Parts {
  return [
    createItem('int32', 'AtLeast', 1),
    createItem('int32', 'AtMost', NO_LIMIT),
    createItem('string', 'Prompt', ''),
  ]
}

function listLimits(type: 'double' | 'int32', maximum: number, minimum: number): Item[] {
  return [createItem(type, 'Maximum', maximum), createItem(type, 'Minimum', minimum)]
}
