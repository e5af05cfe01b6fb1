import { createGraph } from '../graph/create-graph.ts'
import { domain, flatten, formula, graft } from '../graph/feed.ts'

/** A vault of parabolic arches that flares at both ends. Lengths in metres. */
export const pavilionVault = () =>
  createGraph(
    'Pavilion vault',
    ({ group, note, slider, toggle, add, expression, merge, paint, panel, pin }) => {
      group('Design', 'inputs')
      note('Parabolic arches, wide and high at both entrances, lower in the middle.\nLengths in metres.')
      const length = slider('Length', 24, { from: 8, to: 60 })
      const span = slider('Span at the entrances', 12, { from: 5, to: 25, decimals: 1 })
      const rise = slider('Rise at the entrances', 6.5, { from: 2.5, to: 14, decimals: 1 })
      const waist = slider('Waist', 0.35, { from: 0, to: 0.7, decimals: 2 })
      const bays = slider('Bays', 14, { from: 4, to: 40 })
      const facets = slider('Facets per arch', 12, { from: 6, to: 40, interval: 'even' })

      group('Span and rise along the way', 'data')
      note('1 at both ends, 1 less the waist in the middle.')
      const share = add('Range', { Steps: bays }, 'Share of length')
      const swell = expression('1-w*sin(Pi*t)', { w: waist, t: share }, 'Swell')
      const stations = add('Multiplication', [share, length], 'Stations')
      const halfSpans = add('Multiplication', [swell, formula('x/2', span)], 'Half spans')
      const rises = add('Multiplication', [swell, rise], 'Rises')

      group('Points of the arches', 'planes')
      note('Graft: every station meets every place across,\nwhich makes a branch per arch.')
      const across = add('Range', [domain(-1, 1), facets], 'Across, -1 to 1')
      const sideways = add('Multiplication', [graft(halfSpans), across], 'Sideways')
      const heights = expression('h*(1-u^2)', { h: graft(rises), u: across }, 'Heights')
      const points = add('Construct Point', [graft(stations), sideways, heights], 'Points')

      group('Shell, ribs and purlins', 'structure')
      const arches = add('Interpolate', { Vertices: points }, 'Arches')
      const front = add('Shift List', { List: flatten(arches), Shift: -1, Wrap: false }, 'Arches in front')
      const next = add('Shift List', { List: flatten(arches), Shift: 1, Wrap: false }, 'Arches behind')
      const neighbours = [add('Graft Tree', [front], 'In front'), add('Graft Tree', [next], 'Behind')]
      const shell = add('Loft', { Curves: neighbours }, 'Shell')
      const ribs = add('Pipe', { Curve: arches, Radius: 0.09, Caps: 1 }, 'Ribs')
      const lengthwise = add('Flip Matrix', [points], 'By purlin')
      const purlins = add('PolyLine', { Vertices: lengthwise }, 'Purlins')
      const battens = add('Pipe', { Curve: purlins, Radius: 0.035, Caps: 1 }, 'Battens')

      group('Footings and floor', 'structure')
      const left = add('List Item', { List: points, Index: 0 }, 'Left feet')
      const right = add('List Item', { List: points, Index: -1 }, 'Right feet')
      const feet = merge([flatten(left), flatten(right)], 'Feet')
      const square = { 'X Size': domain(-0.3, 0.3), 'Y Size': domain(-0.3, 0.3) }
      const outlines = add(
        'Rectangle',
        { Plane: add('XY Plane', [feet], 'Foot planes'), ...square },
        'Outlines',
      )
      const blocks = add('Boundary Surfaces', [graft(outlines)], 'Block faces')
      const footings = add('Extrude', [blocks, add('Unit Z', [-0.6], 'Into the ground')], 'Footings')
      const back = add('Reverse List', [flatten(right)], 'Way back')
      const edge = add(
        'PolyLine',
        { Vertices: merge([flatten(left), back], 'Round the floor'), Closed: true },
        'Edge',
      )
      const floor = add('Boundary Surfaces', [edge], 'Floor')

      group('Glazed gables', 'geometry')
      note('Switch off to see inside.')
      const glazed = toggle('Glazed', true)
      const ends = merge(
        [
          add('List Item', { List: flatten(arches), Index: 0 }, 'First arch'),
          add('List Item', { List: flatten(arches), Index: -1 }, 'Last arch'),
        ],
        'End arches',
      )
      const feetOfEnds = add('End Points', [ends], 'Feet of the ends')
      const sills = add('Line', [feetOfEnds, feetOfEnds.out('End')], 'Sills')
      const loops = add('Join Curves', {
        Curves: [add('Graft Tree', [ends], 'Arch by arch'), add('Graft Tree', [sills], 'Sill by sill')],
      })
      const panes = add('Boundary Surfaces', [loops], 'Panes')
      const shown = add('Cull Pattern', [panes, glazed], 'Only when glazed')

      group('Look', 'display')
      paint('Shingles', '#b98b5fd0', shell)
      paint('Glulam', '#d9b07aff', merge([flatten(ribs), flatten(battens)], 'Timber'))
      paint('Concrete', '#c9c5bdff', merge([flatten(footings), flatten(floor)], 'Ground'))
      paint('Glass', '#8fc1d966', shown)

      group('Figures', 'results')
      const roof = add('Area', [shell], 'Roof')
      const plan = add('Area', [floor], 'Plan')
      panel('Roof (m²)', roof)
      panel('Floor (m²)', plan)
      const timber = add('Mass Addition', [add('Length', [flatten(arches)], 'Rib lengths')], 'Metres of rib')
      panel('Ribs (m)', timber)

      pin([length, span, rise, waist, bays], [roof, plan, timber])
    },
  )
