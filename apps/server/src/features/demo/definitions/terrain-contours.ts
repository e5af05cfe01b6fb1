import { createGraph } from '../graph/create-graph.ts'
import { flatten, formula, graft } from '../graph/feed.ts'

/** A hill from its contours: curves, a stacked cardboard model, a mesh, and the volume. Lengths in metres. */
export const terrainContours = () =>
  createGraph('Terrain contours', ({ group, note, slider, text, add, expression, paint, panel, pin }) => {
    group('Design', 'inputs')
    note('A hill drawn as a surveyor would: one closed contour per level.\nLengths in metres.')
    const radius = slider('Radius at the foot', 60, { from: 20, to: 150 })
    const levels = slider('Contours', 16, { from: 4, to: 40 })
    const interval = slider('Interval', 1.5, { from: 0.25, to: 5, decimals: 2 })
    const rough = slider('Ruggedness', 0.16, { from: 0, to: 0.4, decimals: 2 })
    const lean = slider('Lean of the summit', 14, { from: -30, to: 30 })
    const steps = slider('Points per contour', 48, { from: 12, to: 120 })

    group('Round the hill', 'data')
    note('The last angle is the first again and is left out:\na closed curve needs it once.')
    const circle = add('Construct Domain', [0, add('Pi', [2], 'Full turn')], 'Once round')
    const closed = add('Range', [circle, steps], 'Angles with both ends')
    const angles = add('Cull Index', { List: closed, Indices: -1 }, 'Angles')
    const numbers = add('Series', { Count: levels }, 'Number of the contour')
    const share = add('Division', [numbers, levels], 'Share of the height')

    group('Contours', 'geometry')
    note('Graft: every level meets every angle, a branch per contour.')
    const radii = expression(
      'r*(1-u^1.3)*(1+a*sin(3*t+4*u)+a/2*cos(5*t-6*u))',
      { r: radius, u: graft(share), a: rough, t: angles },
      'Radii',
    )
    const x = expression('r*cos(t)+s*u', { r: radii, t: angles, s: lean, u: graft(share) }, 'x')
    const y = expression('r*sin(t)', { r: radii, t: angles }, 'y')
    const heights = add('Multiplication', [numbers, interval], 'Heights')
    const points = add('Construct Point', [x, y, graft(heights)], 'Points')
    const contours = add('Interpolate', { Vertices: points, Periodic: true }, 'Contours')

    group('Cardboard model', 'structure')
    note('Each contour is the outline of a layer as thick as the interval.')
    const faces = add('Boundary Surfaces', [contours], 'Layer faces')
    const layers = add('Extrude', [faces, add('Unit Z', [interval], 'One interval')], 'Layers')

    group('Mesh beside it', 'geometry')
    const aside = add('Unit X', [formula('x*2.6', radius)], 'Aside')
    const moved = add('Move', [flatten(points), aside], 'Points beside it')
    const mesh = add('Delaunay Mesh', { Points: moved }, 'Ground')

    group('Every fifth contour is an index contour', 'display')
    const pattern = text('Pattern', 'true\nfalse\nfalse\nfalse\nfalse')
    const major = add('Cull Pattern', [flatten(contours), pattern], 'Index contours')
    const majorHeights = add('Cull Pattern', [flatten(heights), pattern], 'Their heights')
    const drawn = add('Pipe', { Curve: major, Radius: 0.18 }, 'Index contours, drawn')
    add('Text Tag', { Location: add('End Points', [major], 'Seams'), Text: majorHeights }, 'Heights')

    group('Look', 'display')
    paint('Cardboard', '#cdb38bff', layers)
    paint('Grass', '#7fa65cff', mesh)
    paint('Index contour', '#8c3b2eff', drawn)

    group('Figures', 'results')
    const areas = add('Area', [faces], 'Areas')
    const allAreas = add('Mass Addition', [flatten(areas)], 'Sum of areas')
    const volume = add('Multiplication', [allAreas, interval], 'Volume')
    panel('Volume of the model (m³)', volume)
    const lengths = add('Length', [flatten(contours)], 'Lengths')
    panel('Length of each contour (m)', lengths)
    const summit = add('List Item', { List: heights, Index: -1 }, 'Summit')
    panel('Highest contour (m)', summit)

    pin([radius, levels, interval, rough], [volume, summit])
  })
