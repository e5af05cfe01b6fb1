import { createGraph } from '../graph/create-graph.ts'
import { flatten, formula, graft, vector } from '../graph/feed.ts'

/** A bench of slotted plywood ribs in two directions, with the ribs laid flat for cutting. Lengths in metres. */
export const waffleBench = () =>
  createGraph('Waffle bench', ({ group, note, slider, add, expression, merge, paint, panel, pin }) => {
    group('Design', 'inputs')
    note('A landscape of plywood ribs in two directions, slotted into each other.\nLengths in metres.')
    const length = slider('Length', 3.6, { from: 1.5, to: 8, decimals: 1 })
    const width = slider('Width', 1.2, { from: 0.5, to: 3, decimals: 1 })
    const seat = slider('Lowest point', 0.32, { from: 0.1, to: 0.6, decimals: 2 })
    const wave = slider('Wave', 0.38, { from: 0, to: 0.8, decimals: 2 })
    const crossCount = slider('Ribs across', 15, { from: 4, to: 40 })
    const longCount = slider('Ribs along', 6, { from: 3, to: 20 })
    const sheet = slider('Sheet thickness', 0.018, { from: 0.006, to: 0.03, decimals: 3 })
    const fineness = slider('Points per rib', 32, { from: 8, to: 80 })

    const shape = 's+w*(0.5+0.5*sin(2*Pi*x/l))*(0.55+0.45*cos(2*Pi*y/b))'
    const measures = { s: seat, w: wave, l: length, b: width }

    group('Stations', 'planes')
    note('Coarse stations carry a rib, fine ones shape it.')
    const alongBench = add('Construct Domain', [0, length], 'Along')
    const acrossBench = add('Construct Domain', [0, width], 'Across')
    const crossX = add('Range', [alongBench, formula('x-1', crossCount)], 'Ribs across at')
    const longY = add('Range', [acrossBench, formula('x-1', longCount)], 'Ribs along at')
    const fineX = add('Range', [alongBench, fineness], 'Fine along')
    const fineY = add('Range', [acrossBench, fineness], 'Fine across')

    group('Ribs across', 'structure')
    note('Top edge and foot arrive in the same branch: one loft per rib.')
    const crossHeights = expression(shape, { x: graft(crossX), y: fineY, ...measures }, 'Heights across')
    const crossPoints = add('Construct Point', [graft(crossX), fineY, crossHeights], 'Points across')
    const crossTop = add('Interpolate', { Vertices: crossPoints }, 'Top edges across')
    const crossFoot = add('Transform/Project', [crossTop], 'Feet across')
    const crossFace = add('Loft', { Curves: [crossTop, crossFoot] }, 'Faces across')
    const crossRibs = add('Extrude', [crossFace, add('Unit X', [sheet], 'Sheet along x')], 'Ribs across')

    group('Ribs along', 'structure')
    const longHeights = expression(shape, { x: fineX, y: graft(longY), ...measures }, 'Heights along')
    const longPoints = add('Construct Point', [fineX, graft(longY), longHeights], 'Points along')
    const longTop = add('Interpolate', { Vertices: longPoints }, 'Top edges along')
    const longFoot = add('Transform/Project', [longTop], 'Feet along')
    const longFace = add('Loft', { Curves: [longTop, longFoot] }, 'Faces along')
    const longRibs = add('Extrude', [longFace, add('Unit Y', [sheet], 'Sheet along y')], 'Ribs along')

    group('Slots', 'geometry')
    note('Halfway up: ribs across are cut from above, ribs along from below.')
    const slotHeights = expression(shape, { x: graft(crossX), y: longY, ...measures }, 'Height at crossings')
    const crossings = add('Construct Point', [graft(crossX), longY], 'Crossings')
    const half = add('Division', [slotHeights, 2], 'Half height')
    const fromBelow = add('Line SDL', [crossings, vector(0, 0, 1), half], 'Slots from below')
    const fromAbove = add('Move', [fromBelow, add('Unit Z', [half], 'Half up')], 'Slots from above')

    group('Laid flat for cutting', 'geometry')
    const gap = slider('Gap between parts', 0.08, { from: 0.02, to: 0.3, decimals: 2 })
    const ribOrigins = add('Construct Point', [graft(crossX)], 'Rib origins')
    const upright = add('YZ Plane', [ribOrigins], 'Rib planes')
    const pitch = expression('s+w+g', { s: seat, w: wave, g: gap }, 'Pitch on the sheet')
    const rows = add('Series', { Start: 1, Step: pitch, Count: crossCount }, 'Rows')
    const points = add('Construct Point', [formula('x+1', length), graft(rows)], 'Places on the sheet')
    const flat = add('Orient', [crossFace, upright, add('XY Plane', [points], 'Sheet')], 'Parts')

    group('Look', 'display')
    paint('Birch', '#e0c48fff', merge([flatten(crossRibs), flatten(longRibs)], 'All ribs'))
    paint('Slots', '#c0392bff', merge([flatten(fromBelow), flatten(fromAbove)], 'All slots'))
    paint('Cutting sheet', '#b9c4ccff', flat)

    group('Figures', 'results')
    const faces = merge([flatten(crossFace), flatten(longFace)], 'All faces')
    const area = add('Mass Addition', [add('Area', [faces], 'Rib areas')], 'Plywood')
    panel('Plywood (m²)', area)
    const slots = add('List Length', [flatten(crossings)], 'Crossings')
    panel('Slots to cut, twice', slots)

    pin([length, width, wave, crossCount, longCount], [area, slots])
  })
