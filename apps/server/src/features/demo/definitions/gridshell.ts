import { createGraph } from '../graph/create-graph.ts'
import { flatten, formula, graft } from '../graph/feed.ts'

/** A timber gridshell over a rectangle, flat along all four edges. Lengths in metres. */
export const gridshell = () =>
  createGraph('Gridshell', ({ group, note, slider, add, expression, merge, paint, panel, pin }) => {
    group('Design', 'inputs')
    note(
      'A timber lattice over a rectangular court.\nThe shape is a product of two parabolas: it meets the ground along all four edges.',
    )
    const length = slider('Length', 30, { from: 10, to: 60 })
    const width = slider('Width', 18, { from: 8, to: 40 })
    const rise = slider('Rise', 5.5, { from: 1, to: 12, decimals: 1 })
    const along = slider('Cells along', 20, { from: 6, to: 40 })
    const across = slider('Cells across', 12, { from: 4, to: 30 })
    const lath = slider('Lath radius', 0.06, { from: 0.02, to: 0.15, decimals: 2 })

    group('Grid in plan', 'planes')
    note('The grafted X gives a branch per row, with all Y in it.')
    const domainX = add(
      'Construct Domain',
      [formula('-x/2', length), formula('x/2', length)],
      'From end to end',
    )
    const domainY = add(
      'Construct Domain',
      [formula('-x/2', width), formula('x/2', width)],
      'From side to side',
    )
    const stationsX = add('Range', [domainX, along], 'Stations along')
    const stationsY = add('Range', [domainY, across], 'Stations across')
    const plan = add('Construct Point', [graft(stationsX), stationsY], 'Plan')

    group('Raise the grid', 'geometry')
    const flat = add('Deconstruct', [plan], 'Plan coordinates')
    const heights = expression(
      'h*(1-(2*x/a)^2)*(1-(2*y/b)^2)',
      { x: flat, y: flat.out('Y component'), h: rise, a: length, b: width },
      'Heights',
    )
    const nodes = add('Move', [plan, add('Unit Z', [heights], 'Up')], 'Nodes')

    group('Laths', 'structure')
    const crossLaths = add('Interpolate', { Vertices: nodes }, 'Laths across')
    const turned = add('Flip Matrix', [nodes], 'Rows become columns')
    const longLaths = add('Interpolate', { Vertices: turned }, 'Laths along')
    const laths = merge([flatten(crossLaths), flatten(longLaths)], 'Laths')
    paint('Larch', '#c98f4eff', add('Pipe', { Curve: laths, Radius: lath, Caps: 1 }, 'Round laths'))

    group('Panels as one mesh', 'geometry')
    note('The corner with the lowest index of each cell:\nfirst of its row, plus place in the row.')
    const perRow = add('Maths/Addition', [across, 1], 'Nodes in a row')
    const rowStarts = add('Series', { Step: perRow, Count: along }, 'First of each row')
    const indices = add('Series', { Count: across }, 'Place in the row')
    const corner = add('Maths/Addition', [graft(rowStarts), indices], 'Corner')
    const opposite = add('Maths/Addition', [corner, perRow], 'Corner of the next row')
    const faces = add(
      'Mesh Quad',
      [corner, formula('x+1', corner), formula('x+1', opposite), opposite],
      'Faces',
    )
    const mesh = add('Construct Mesh', { Vertices: flatten(nodes), Faces: flatten(faces) }, 'Membrane')
    paint('Membrane', '#f2efe6b0', mesh)

    group('Edge beam and footings', 'structure')
    const edge = add('Rectangle', { 'X Size': domainX, 'Y Size': domainY }, 'Edge')
    const beam = add('Pipe', { Curve: edge, Radius: formula('x*2.5', lath) }, 'Edge beam')
    const footingCount = slider('Footings', 16, { from: 8, to: 40, interval: 'even' })
    const feet = add('Divide Curve', { Curve: edge, Count: footingCount }, 'Feet')
    const footprint = add('Circle', [add('XY Plane', [feet], 'Foot planes'), 0.35], 'Footprints')
    const pads = add('Boundary Surfaces', [graft(footprint)], 'Pads')
    const footings = add('Extrude', [pads, add('Unit Z', [-0.8], 'Into the ground')], 'Footings')
    paint('Steel', '#5b6470ff', beam)
    paint('Concrete', '#c9c5bdff', footings)

    group('Figures', 'results')
    const area = add('Area', [mesh], 'Roof area')
    panel('Roof (m²)', area)
    const metres = add('Mass Addition', [add('Length', [laths], 'Lath lengths')], 'Metres of lath')
    panel('Laths (m)', metres)

    pin([length, width, rise], [area, metres])
  })
