import { toShader } from '@meadow/geometry/values/shader'
import type { Inputs, Kind, KindContext, Ports } from '../declaration/define-kind.ts'
import { item, list, optional } from '../declaration/ports.ts'

interface Painter<I extends Ports> extends Pick<Kind, 'description' | 'ignoresValues'> {
  guid: string
  inputs: I
  /** Called for each match of inputs of a node whose preview is on. */
  draw(inputs: Inputs<I, undefined>, paint: KindContext['paint']): void
}

/**
 * A kind without outputs that gives geometry a material. It declares its inputs, because materials are also found
 * without the component library (`paintPreviews`).
 */
const definePainter = <const I extends Ports>({ guid, draw, ...kind }: Painter<I>): Kind => ({
  ...kind,
  guids: [guid],
  outputs: [],
  solve(inputs, { node, paint }) {
    // The solver passes values as the inputs declare.
    if (node.status.isPreviewed) draw(inputs as unknown as Inputs<I, undefined>, paint)
    return []
  },
})

/** The kinds that decide how geometry looks. */
export const PAINTERS: readonly Kind[] = [
  definePainter({
    guid: '537b0419-bbc2-4ff4-bf08-afe526367b2c',
    description: 'Draws geometry in a colour or material.',
    inputs: [item.any, item.shader],
    ignoresValues: true,
    draw: ([geometry, material], paint) => paint(geometry, material),
  }),
  definePainter({
    guid: '059b72b0-9bb3-4542-a805-2dcd27493164',
    description: 'Draws points as a cloud.',
    inputs: [optional(list.point), list.colour, item.number],
    draw([points, colours], paint) {
      for (const [i, point] of points?.entries() ?? []) {
        const colour = colours[Math.min(i, colours.length - 1)]
        if (point && colour) paint(point, toShader(colour))
      }
    },
  }),
  definePainter({
    guid: '6b1bd8b2-47a4-4aa6-a471-3fd91c62a486',
    description: 'Draws points as coloured dots.',
    inputs: [item.point, item.colour, item.number],
    draw: ([point, colour], paint) => paint(point, toShader(colour)),
  }),
]
