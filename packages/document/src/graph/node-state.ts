import type { GraphContent } from '@meadow/contract'

/** The state of a node beside its values, in `Node.state`. `kind` discriminates the types. */
export type NodeState =
  | SliderState
  | MdSliderState
  | KnobState
  | GenePoolState
  | PanelState
  | ValueListState
  | ButtonState
  | ContextualState
  | ScriptState
  | ClusterState
  | ExpressionState
  | PathMapperState
  | GraphMapperState
  | GradientState
  | ImageSamplerState
  | ScribbleState
  | SketchState
  | TimerState
  | OptionsState
  | PluginState
  | PlacedState

/** The class of clusters, whose contents are in the imported file. */
export const CLUSTER = 'f31d8d7a-7536-4ac8-9c96-fde6ecda4d0a'

/** Width and height of the box on the canvas, for objects that the user sizes. */
export type Size = { width: number; height: number }
export type Xy = [x: number, y: number]
export type Range = { start: number; end: number }

export type SliderState = {
  kind: 'slider'
  minimum: number
  maximum: number
  /** Decimal places that are shown, and that dragging produces. */
  decimals: number
  /** How the slider rounds its value. */
  interval: 'real' | 'integer' | 'odd' | 'even'
  /** The values that the grip snaps to, in the words of the file. */
  snaps?: string[]
  size?: Size
}

/** Its value is a point in these ranges. */
export type MdSliderState = { kind: 'mdSlider'; x: Range; y: Range; z: Range; size?: Size }

export type KnobState = {
  kind: 'knob'
  minimum: number
  maximum: number
  decimals: number
  /** The value that one turn adds. */
  range: number
  isLimited: boolean
}

export type GenePoolState = { kind: 'genePool'; minimum: number; maximum: number; decimals: number }

export type PanelState = {
  kind: 'panel'
  /** The text as typed; lines end with a line feed. */
  text: string
  /** True: the text is one value. False: each line is one. */
  isMultiline: boolean
  /** `#rrggbbaa` */
  colour: string
  alignment: 'left' | 'centre' | 'right'
  wraps: boolean
  drawsIndices: boolean
  drawsPaths: boolean
  size?: Size
}

export type ListItem = {
  name: string
  /** A number, text in quotes, or any other expression. */
  expression: string
  isSelected: boolean
}
/** The state of a value list. Only a check list has several selected items. */
export type ValueListState = {
  kind: 'valueList'
  mode: 'checkList' | 'dropDown' | 'sequence' | 'cycle'
  items: ListItem[]
  /** The plug-in that fills the list. */
  plugin?: PluginLibrary
}

/** The state of a button, with expressions: `False`, `True`, `0`. */
export type ButtonState = { kind: 'button'; normal: string; pressed: string }

/** An input that a caller fills in (Hops, Rhino Compute, the script player): Get Number, Get Point … */
export type ContextualState = {
  kind: 'contextual'
  prompt: string
  atLeast: number
  /** The most values that a caller may give; undefined for no limit. */
  atMost?: number
  minimum?: number
  maximum?: number
  takesTree: boolean
  presets: ListItem[]
}

/** `python2` is IronPython. */
export type ScriptLanguage = 'python2' | 'python3' | 'csharp' | 'vb' | 'unknown'
export type ScriptState = Placed & {
  kind: 'script'
  language: ScriptLanguage
  /** The component's own words for the language, if it can hold any: `*.*.python 3.*`. */
  languageSpec?: string
  /** The source, or the body of the one method that C# and VB scripts before Rhino 8 run. */
  source: string
  /** Whether the source comes through the first input instead: its literal text, or that of its wires. */
  takesSource?: true
  /** The lines before the class, and the members beside the method, in C# and VB scripts before Rhino 8. */
  imports?: string
  members?: string
  /** The paths of the assemblies that the script refers to. */
  references?: string[]
}

/**
 * What a node keeps of the library item that it was placed from in Meadow, where the rest of the node does not show all of
 * it: clusters, scripts, and objects of plug-ins.
 */
export type Placed = {
  /** The object of the item in base64: the archive that the `Object` of a .ghuser file is, with the root `UserObject`. */
  object?: string
}

/** An object that is only known by its ports. */
export type PlacedState = { kind: 'placed' } & Placed

/** The state of a cluster, whose content (`ClusterContent`) is only in the imported file, or in `object`. */
export type ClusterState = Placed & {
  kind: 'cluster'
  /** Whether the cluster has a password. */
  isProtected: boolean
  /** The file that it is linked to. */
  path?: string
}

/** Variables are the nicknames of the inputs. */
export type ExpressionState = { kind: 'expression'; expression: string }

/** `{A;B}(i)` to `{A;B;i}` */
export type PathMapperState = { kind: 'pathMapper'; rules: { source: string; target: string }[] }

export type GraphMapperState = {
  kind: 'graphMapper'
  /** `Bezier`, `Sine` …; undefined: none chosen yet. */
  graph?: string
  /** Grips in unit coordinates. */
  points: Xy[]
  x: Range
  y: Range
  size?: Size
}

export type GradientState = {
  kind: 'gradient'
  /** Whether colours change evenly between grips, or smoothly. */
  isLinear: boolean
  /** `position` from 0 to 1; the colours on both sides of the grip, `#rrggbbaa`. */
  grips: { position: number; left: string; right: string }[]
}

/** The picture itself is only in the archive. */
export type ImageSamplerState = {
  kind: 'imageSampler'
  path: string
  filter: string
  wrap: number
  interpolates: boolean
  u: Range
  v: Range
  size?: Size
}

export type ScribbleState = {
  kind: 'scribble'
  text: string
  font: string
  /** The size of the font in points. */
  fontSize: number
  isBold: boolean
  isItalic: boolean
  /** The four corners of the text, from the top left clockwise, in canvas units from the node's position. */
  corners: Xy[]
}

/** Lines drawn by hand, in canvas units from the node's position. */
export type SketchState = { kind: 'sketch'; lines: Xy[][]; colour: string; width: number }

export type TimerState = { kind: 'timer'; intervalMs: number; targetIds: string[] }

/** Switches from the menu of a component, for example `flattenInputs` of Entwine. */
export type OptionsState = { kind: 'options'; options: Record<string, boolean | number | string> }

/** An object of a plug-in that is not otherwise known. */
export type PluginState = { kind: 'plugin' } & PluginLibrary

/** The plug-in that an object belongs to. */
export type PluginLibrary = {
  libraryId: string
  /** The plug-in's name; undefined if the file does not have it. */
  library?: string
  /** The version that the file was saved with; undefined if the file does not have it. */
  version?: string
}

/** The content of a cluster: a graph of its own, which is not part of the document (`ClusterState`). */
export interface ClusterContent {
  content: GraphContent
  /** The Cluster Input or Cluster Output in the content that stands for each port of the cluster node, by port id. */
  hooks: ReadonlyMap<string, string>
  /** The contents of the clusters in it. */
  clusters: ClusterContents
}

/** The contents of clusters, by node id. For an unknown content: the reason, as the end of a sentence. */
export type ClusterContents = ReadonlyMap<string, ClusterContent | { unknown: string }>
