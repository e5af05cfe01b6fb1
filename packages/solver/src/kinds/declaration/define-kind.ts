import type { Node } from '@meadow/contract'
import { findCanvasObject, findComponent, findParameterType, type Path } from '@meadow/document'
import type { KernelName, Kernels } from '@meadow/geometry/kernels/kernels'
import type { Shader, Value } from '@meadow/geometry/values/value'
import { getPortType, type PortType } from '../../conversions/port-types.ts'
import type { Tree } from '../../tree/tree.ts'
import type { OptionSpecs } from './options.ts'
import { type InputOf, type LibraryPorts, type OutputOf, type PortSpec, toPortSpec } from './ports.ts'

export type Ports = readonly PortSpec[]

/** The context of the function of a kind, besides its inputs. */
export interface KindContext {
  /** The node being solved; special kinds keep settings in its `state`. */
  readonly node: Node
  /** Shorter lengths count as zero, in the document's unit. */
  readonly tolerance: number
  /** Smaller angles count as zero, in radians. */
  readonly angleTolerance: number
  /** The path of a list or tree output of this run: `{A}` or `{A;i}` (rule M-8). */
  readonly path: Path
  /** Nicknames of the inputs and outputs, in order. */
  readonly inputNames: readonly string[]
  readonly outputNames: readonly string[]
  /** Adds a message to the node. Repeated messages appear once. */
  error(message: string): void
  warn(message: string): void
  remark(message: string): void
  /**
   * Reports that Grasshopper gives a result here and Meadow does not. All outputs of the node become unknown, and so
   * does what depends on them. `error` is for what Grasshopper reports too.
   */
  limit(message: string): void
  /** Reports that a value is right but its form is not Rhino's: another mesh of the same surface. */
  approximate(message: string): void
  /**
   * Call this before creating many values: ends the solve if they exceed the limits or its time is up.
   * `bytesEach` is the memory of one value, by default that of a number. Long loops that create nothing call
   * `checkpoint`, code that creates texts `reserveText`.
   */
  reserve(count?: number, bytesEach?: number): void
  /** The kernel that the kind `needs`. */
  readonly kernel?: Kernels[KernelName]
  /**
   * Returns the text of the file beside the document that has the name at the end of a path, in upper or lower case. When
   * it is not there, or cannot be read, it reports a limit.
   */
  readFile(path: string): string | undefined
  /** Sets the material that a geometry from any source is previewed in; the last call counts. */
  paint(value: Value, material: Shader): void
}

/** The part of the context that is the same for all runs of a node. */
export type RunContext = Omit<KindContext, 'path'>

/** A kind that needs a kernel runs only when it is loaded. */
type KernelContext<K extends KernelName | undefined> = K extends KernelName
  ? { readonly kernel: NonNullable<Kernels[K]> }
  : unknown

/** What the function of a kind receives. */
export type Inputs<I extends Ports, MI> = readonly [
  ...{ readonly [K in keyof I]: InputOf<I[K]> },
  ...(MI extends PortSpec ? InputOf<MI>[] : []),
]
type Outputs<O extends Ports, MO> = readonly [
  ...{ readonly [K in keyof O]?: OutputOf<O[K]> | undefined },
  ...(MO extends PortSpec ? OutputOf<MO>[] : []),
]

/**
 * The declaration of a kind, as passed to `defineKind`, which checks its types and then erases them. The names, ports
 * and defaults of the class are in its row of the component library of `@meadow/document`.
 */
export interface KindDeclaration<
  G extends string | readonly string[],
  I extends Ports,
  O extends Ports,
  MI extends PortSpec | undefined,
  MO extends PortSpec | undefined,
  K extends KernelName | undefined,
> {
  /** The component class, in lower case; several for versions with the same ports and behaviour. */
  guid: G
  /** What the kind does, in one original sentence. */
  description: string
  /** The inputs in order, if the kind reads them otherwise than the library has them, or users can add some. */
  inputs?: I
  /** The outputs in order, if the kind has others than the library, or users can add some. */
  outputs?: O
  /** The kind does not compute with values of any type, only with their structure, so it takes undecoded ones too. */
  ignoresValues?: boolean
  /** The menu options that it takes into account. */
  options?: OptionSpecs
  /** Each additional input, where users can add inputs. They arrive after the others. */
  moreInputs?: MI
  /** Each additional output; returned after the others. */
  moreOutputs?: MO
  /** The kernel that it calls, as `context.kernel`. */
  needs?: K
  /**
   * Called for each match of items and lists (rules M-1 to M-12) with the inputs in order. It returns the outputs in
   * order; those that are undefined or left out at the end become null or empty.
   */
  solve(inputs: Inputs<I, MI>, context: KindContext & KernelContext<K>): NoInfer<Outputs<O, MO>>
}

/** A kind of node as the solver uses it. */
export interface Kind {
  readonly guids: readonly string[]
  readonly description: string
  readonly ignoresValues?: boolean
  readonly options?: OptionSpecs
  readonly inputs: Ports
  readonly outputs: Ports
  readonly moreInputs?: PortSpec
  readonly moreOutputs?: PortSpec
  readonly needs?: KernelName
  solve(inputs: readonly unknown[], context: KindContext): readonly unknown[]
}

/**
 * A kind of node: the function that computes the outputs of a component from its inputs, whose types follow from the
 * row of its GUID in the component library.
 * @example
 * defineKind({
 *   guid: 'a4cd2751-414d-42ec-8916-476ebf62d7fe',
 *   description: 'Converts degrees to radians.',
 *   solve: ([degrees]) => [(degrees * Math.PI) / 180],
 * })
 */
export function defineKind<
  const G extends string | readonly string[],
  const I extends Ports = LibraryPorts<G, 'inputs'>,
  const O extends Ports = LibraryPorts<G, 'outputs'>,
  MI extends PortSpec | undefined = undefined,
  MO extends PortSpec | undefined = undefined,
  const K extends KernelName | undefined = undefined,
>({ guid, inputs, outputs, solve, ...rest }: KindDeclaration<G, I, O, MI, MO, K>): Kind {
  const guids: readonly string[] = [guid].flat()
  const known = findComponent(guids[0] ?? '')
  return {
    ...(rest as Pick<Kind, 'description' | 'moreInputs' | 'moreOutputs' | 'needs'>),
    guids,
    inputs: inputs ?? known?.inputs.map(toPortSpec) ?? [],
    outputs: outputs ?? known?.outputs.map(toPortSpec) ?? [],
    // The solver passes values as the ports declare, so the erased types hold.
    solve: solve as unknown as Kind['solve'],
  }
}

type Data = Tree<Value | null>

/** A node with a single port: the data that reaches it is converted to the port's type and passed on. */
export interface ParameterKind {
  readonly guids: readonly string[]
  readonly description: string
  readonly type: PortType
  readonly options?: OptionSpecs
  /** Changes the data before it is converted. */
  prepare?(data: Data, context: RunContext): Data
  /** Changes the data after it is converted, and before the flags of the port apply. */
  change?(data: Data, context: RunContext): Data
}

/** A parameter has the type of its row in the component library, unless it declares another. */
export function defineParameter({
  guid,
  type,
  ...kind
}: Omit<ParameterKind, 'guids' | 'type'> & { guid: string; type?: PortType }): ParameterKind {
  const typeName = findCanvasObject(guid)?.parameter?.typeName ?? findParameterType(guid)?.name ?? ''
  return { ...kind, guids: [guid], type: type ?? getPortType(typeName) }
}

export type AnyKind = Kind | ParameterKind
