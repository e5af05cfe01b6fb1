import type { PortReference } from '@meadow/contract'
import type { SliderState } from '@meadow/document'
import type { Drawn } from './drawn.ts'
import type { Input } from './feed.ts'
import type { GroupColour } from './group-colours.ts'
import type { Inputs } from './match-ports.ts'

export interface SliderRange {
  from: number
  to: number
  /** Places after the point; without them the slider gives whole numbers. */
  decimals?: number
  interval?: SliderState['interval']
}

interface Script {
  source: string
  /** By the name of the variable. */
  inputs: Readonly<Record<string, Input>>
  /** The inputs that take a whole list at once. */
  lists: readonly string[]
  outputs: readonly string[]
}

/**
 * What a definition is drawn with. A nickname names a node in its graph and makes its id; where nodes share one they
 * are numbered. Wires run from what was drawn before.
 */
export interface Canvas {
  /** What is drawn from here on lies in a group with this label. */
  group(label: string, colour: GroupColour): void
  /** A panel that tells something; it stands above the nodes of its group. */
  note(text: string): void
  slider(nickName: string, value: number, range: SliderRange): Drawn
  toggle(nickName: string, value: boolean): Drawn
  /** A drop-down list: choices by name, and the name of the chosen one. */
  valueList(nickName: string, choices: Readonly<Record<string, number>>, chosen: string): Drawn
  /** A panel whose lines are values. */
  text(nickName: string, lines: string): Drawn
  /** A floating parameter of a type such as `Point`. */
  parameter(typeName: string, nickName: string, input: Input): Drawn
  /** A component by its name in the catalogue, `Vector/Rotate` where two share a name. */
  add(component: string, inputs: Inputs, nickName?: string): Drawn
  /** The Expression component; the variables become its inputs. */
  expression(text: string, variables: Readonly<Record<string, Input>>, nickName: string): Drawn
  merge(inputs: readonly Input[], nickName: string): Drawn
  /** A C# script of Rhino 8. */
  script(nickName: string, script: Script): Drawn
  /** A panel that shows what reaches it. */
  panel(nickName: string, source: PortReference): void
  /** Shows geometry in a colour, `#rrggbbaa`. */
  paint(nickName: string, colour: string, geometry: Input): void
  /** The ports to be found at once: what to change, and what comes out. */
  pin(inputs: PortReference[], outputs: PortReference[]): void
}
