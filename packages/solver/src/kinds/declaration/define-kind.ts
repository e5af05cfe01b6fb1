import type { Node } from '@meadow/contract'
import type { Path } from '@meadow/document'
import type { PortType } from '../../conversions/port-types.ts'
import type { Tree } from '../../tree/tree.ts'
import type { Colour, Value } from '../../values/value.ts'
import type { InputOf, OutputOf, PortSpec } from './ports.ts'

export type Ports = Readonly<Record<string, PortSpec>>

/** What a kind's function may ask for and tell, beside its inputs. */
export interface KindContext {
  /** The node that is solved; its `state` holds what a special kind keeps. */
  readonly node: Node
  /** Lengths below this are nothing, in the document's unit. */
  readonly tolerance: number
  /** In radians. */
  readonly angleTolerance: number
  /** Where a list or tree output of this run goes: `{A}` or `{A;i}` (rule M-8). */
  readonly path: Path
  /** Nicknames of the inputs and outputs, in order. */
  readonly inputNames: readonly string[]
  readonly outputNames: readonly string[]
  /** Each of these shows once on the node, however often it is said. */
  error(message: string): void
  warn(message: string): void
  remark(message: string): void
  /**
   * To be called before making many values: ends the solve when they would be too many, take too much memory, or its
   * time is up. `bytesEach` is the memory of one, that of a number unless told. Long loops that make nothing call
   * `checkpoint`, and what makes texts `reserveText`.
   */
  reserve(count?: number, bytesEach?: number): void
  /** Geometry is drawn in this colour, wherever it came from; of several the last one counts. */
  paint(value: Value, colour: Colour): void
}

/** The same for all runs of a node. */
export type RunContext = Omit<KindContext, 'path'>

type Inputs<I extends Ports> = { readonly [K in keyof I]: InputOf<I[K]> }
type Outputs<O extends Ports> = { readonly [K in keyof O]?: OutputOf<O[K]> }

/** A declaration as it is written; `defineKind` forgets the types once they are checked. */
export interface KindDeclaration<
  I extends Ports,
  O extends Ports,
  MI extends PortSpec | undefined,
  MO extends PortSpec | undefined,
> {
  /** The component's class, lower case; several for versions that do the same on the same ports. */
  guid: string | readonly string[]
  /** What it does, in one sentence of our own. */
  description: string
  /** For kinds that the catalogue does not know. */
  name?: string
  /** In the order of the node's ports. The keys are the function's own words. */
  inputs: I
  outputs: O
  /** What each further input is, where users add them. They arrive as `more`. */
  moreInputs?: MI
  /** What each further output is; given back as `more`. */
  moreOutputs?: MO
  /** Runs for each match of items and lists (rules M-1 to M-12). What it leaves out becomes null or empty. */
  solve(
    inputs: Inputs<I> & (MI extends PortSpec ? { readonly more: readonly InputOf<MI>[] } : unknown),
    context: KindContext,
  ): Outputs<O> & (MO extends PortSpec ? { readonly more?: readonly OutputOf<MO>[] } : unknown)
}

/** A kind of node as the solver uses it. */
export interface Kind {
  readonly guids: readonly string[]
  readonly description: string
  readonly name?: string
  readonly inputs: readonly (readonly [key: string, port: PortSpec])[]
  readonly outputs: readonly (readonly [key: string, port: PortSpec])[]
  readonly moreInputs?: PortSpec
  readonly moreOutputs?: PortSpec
  solve(inputs: Record<string, unknown>, context: KindContext): Record<string, unknown>
}

/**
 * A kind of node: its ports as data, and the function that makes outputs of inputs.
 * @example
 * defineKind({
 *   guid: 'a4cd2751-414d-42ec-8916-476ebf62d7fe',
 *   description: 'Degrees as radians.',
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
>(declaration: KindDeclaration<I, O, MI, MO>): Kind {
  const { guid, description, name, inputs, outputs, moreInputs, moreOutputs, solve } = declaration
  return {
    guids: typeof guid === 'string' ? [guid] : guid,
    description,
    ...(name === undefined ? {} : { name }),
    inputs: Object.entries(inputs),
    outputs: Object.entries(outputs),
    ...(moreInputs ? { moreInputs } : {}),
    ...(moreOutputs ? { moreOutputs } : {}),
    // The engine hands over what the ports declare, so the types hold although it does not know them.
    solve: solve as unknown as Kind['solve'],
  }
}

type Data = Tree<Value | null>

/** A node with a single port: the data that reaches it is converted to the port's type and passed on. */
export interface ParameterKind {
  readonly guids: readonly string[]
  readonly description: string
  readonly type: PortType
  /** Before conversion. */
  prepare?(data: Data, context: RunContext): Data
  /** After conversion, before the switches of the port. */
  change?(data: Data, context: RunContext): Data
}

export function defineParameter({
  guid,
  ...kind
}: Omit<ParameterKind, 'guids'> & { guid: string | readonly string[] }): ParameterKind {
  return { ...kind, guids: typeof guid === 'string' ? [guid] : guid }
}

export type AnyKind = Kind | ParameterKind
