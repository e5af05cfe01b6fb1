import type { Node } from '@meadow/contract'
import type { Path } from '@meadow/document'
import type { KernelName, Kernels } from '@meadow/geometry/kernels/kernels'
import type { Shader, Value } from '@meadow/geometry/values/value'
import type { PortType } from '../../conversions/port-types.ts'
import type { Tree } from '../../tree/tree.ts'
import type { OptionSpecs } from './options.ts'
import type { InputOf, OutputOf, PortSpec } from './ports.ts'

export type Ports = Readonly<Record<string, PortSpec>>

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
  /** Sets the material that a geometry from any source is previewed in; the last call counts. */
  paint(value: Value, material: Shader): void
}

/** The part of the context that is the same for all runs of a node. */
export type RunContext = Omit<KindContext, 'path'>

/** A kind that needs a kernel runs only when it is loaded. */
type KernelContext<K extends KernelName | undefined> = K extends KernelName
  ? { readonly kernel: NonNullable<Kernels[K]> }
  : unknown

type Inputs<I extends Ports> = { readonly [K in keyof I]: InputOf<I[K]> }
type Outputs<O extends Ports> = { readonly [K in keyof O]?: OutputOf<O[K]> }

/**
 * The declaration of a kind, as passed to `defineKind`, which checks its types and then erases them. The names of the
 * kind and of its ports, and their defaults, are in the component library of `@meadow/document`.
 */
export interface KindDeclaration<
  I extends Ports,
  O extends Ports,
  MI extends PortSpec | undefined,
  MO extends PortSpec | undefined,
  K extends KernelName | undefined,
> {
  /** The component class, in lower case; several for versions with the same ports and behaviour. */
  guid: string | readonly string[]
  /** What the kind does, in one original sentence. */
  description: string
  /** The inputs, in the order of the node's ports. The keys are parameter names of `solve`. */
  inputs: I
  outputs: O
  /** The kind does not compute with values of any type, only with their structure, so it takes undecoded ones too. */
  ignoresValues?: boolean
  /** The menu options that it takes into account. */
  options?: OptionSpecs
  /** Each additional input, where users can add inputs. They arrive as `more`. */
  moreInputs?: MI
  /** Each additional output; returned as `more`. */
  moreOutputs?: MO
  /** The kernel that it calls, as `context.kernel`. */
  needs?: K
  /** Called for each match of items and lists (rules M-1 to M-12). Omitted outputs become null or empty. */
  solve(
    inputs: Inputs<I> & (MI extends PortSpec ? { readonly more: readonly InputOf<MI>[] } : unknown),
    context: KindContext & KernelContext<K>,
  ): Outputs<O> & (MO extends PortSpec ? { readonly more?: readonly OutputOf<MO>[] } : unknown)
}

/** A kind of node as the solver uses it. */
export interface Kind {
  readonly guids: readonly string[]
  readonly description: string
  readonly ignoresValues?: boolean
  readonly options?: OptionSpecs
  readonly inputs: readonly (readonly [key: string, port: PortSpec])[]
  readonly outputs: readonly (readonly [key: string, port: PortSpec])[]
  readonly moreInputs?: PortSpec
  readonly moreOutputs?: PortSpec
  readonly needs?: KernelName
  solve(inputs: Record<string, unknown>, context: KindContext): Record<string, unknown>
}

/**
 * A kind of node: its ports as data, and the function that computes outputs from inputs.
 * @example
 * defineKind({
 *   guid: 'a4cd2751-414d-42ec-8916-476ebf62d7fe',
 *   description: 'Converts degrees to radians.',
 *   inputs: { degrees: item.number },
 *   outputs: { radians: item.number },
 *   solve: ({ degrees }) => ({ radians: (degrees * Math.PI) / 180 }),
 * })
 */
export function defineKind<
  const I extends Ports,
  const O extends Ports,
  MI extends PortSpec | undefined = undefined,
  MO extends PortSpec | undefined = undefined,
  const K extends KernelName | undefined = undefined,
>(declaration: KindDeclaration<I, O, MI, MO, K>): Kind {
  const {
    guid,
    description,
    ignoresValues,
    options,
    inputs,
    outputs,
    moreInputs,
    moreOutputs,
    needs,
    solve,
  } = declaration
  return {
    guids: typeof guid === 'string' ? [guid] : guid,
    description,
    ...(ignoresValues ? { ignoresValues } : {}),
    ...(options ? { options } : {}),
    inputs: Object.entries(inputs),
    outputs: Object.entries(outputs),
    ...(moreInputs ? { moreInputs } : {}),
    ...(moreOutputs ? { moreOutputs } : {}),
    ...(needs ? { needs } : {}),
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

export function defineParameter({
  guid,
  ...kind
}: Omit<ParameterKind, 'guids'> & { guid: string | readonly string[] }): ParameterKind {
  return { ...kind, guids: typeof guid === 'string' ? [guid] : guid }
}

export type AnyKind = Kind | ParameterKind
