import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WIRE_DISPLAYS } from '@meadow/contract'
import { createChain } from '../../../testing/chain.ts'
import { type DrawnWire, isWireSelected, listWires } from '../layout/wires.ts'
import { paintWires, WIRE_COLOURS } from './paint-wires.ts'

const COLOURS = WIRE_COLOURS.light

/** What is drawn of wires: the colour, width and number of curves and arcs of each stroke, in order. */
function paint(wires: readonly DrawnWire[], selectedIds: ReadonlySet<string> = new Set()) {
  class Path {
    curves = 0
    arcs = 0
    moveTo() {}
    lineTo() {}
    bezierCurveTo() {
      this.curves++
    }
    arc() {
      this.arcs++
    }
  }
  // Node has no canvas.
  Object.assign(globalThis, { Path2D: Path })
  const strokes: { colour: string; width: number; curves: number; arcs: number }[] = []
  const context = {
    strokeStyle: '',
    lineWidth: 0,
    setLineDash() {},
    stroke({ curves, arcs }: Path) {
      strokes.push({ colour: this.strokeStyle, width: this.lineWidth, curves, arcs })
    },
  }
  paintWires(context as unknown as CanvasRenderingContext2D, wires, {
    isFar: false,
    scheme: 'light',
    scale: 1,
    styleOf: () => 'item',
    isSelected: (wire) => isWireSelected(wire, { selectedIds, selectedWires: new Set() }),
  })
  return strokes
}

test('[WEB-94] given inputs with faint and hidden wires, when wires are painted, then faint ones are thin and pale, and of hidden ones only the end is marked', () => {
  const { ids, reader } = createChain(4)
  const displays = new Map(WIRE_DISPLAYS.map((display, index) => [ids[index + 1]!, display]))
  const nodes = Object.fromEntries(
    Object.entries(reader.read().nodes).map(([id, node]) => {
      const wireDisplay = displays.get(id)
      if (!wireDisplay) return [id, node]
      const ports = Object.entries(node.ports).map(([port, details]) => [port, { ...details, wireDisplay }])
      return [id, { ...node, ports: Object.fromEntries(ports) }]
    }),
  )
  const wires = listWires(nodes)
  assert.deepEqual(
    wires.map(({ display }) => display),
    ['faint', 'hidden', undefined],
  )
  assert.deepEqual(paint(wires), [
    { colour: COLOURS.faint, width: 1, curves: 0, arcs: 2 },
    { colour: COLOURS.faint, width: 0.8, curves: 1, arcs: 0 },
    { colour: COLOURS.plain, width: 1.6, curves: 1, arcs: 0 },
  ])
  const selected = paint(wires, new Set([ids[1]!]))
  assert.deepEqual(selected.at(-1), { colour: COLOURS.selected, width: 1.6, curves: 2, arcs: 0 })
  assert.equal(
    selected.some(({ arcs }) => arcs > 0),
    false,
  )
})
