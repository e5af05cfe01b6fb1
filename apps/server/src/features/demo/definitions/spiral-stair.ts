import { createGraph } from '../graph/create-graph.ts'
import { degrees, formula } from '../graph/feed.ts'

/** A spiral stair around a pole, with its railing and the check of its step. Lengths in metres. */
export const spiralStair = () =>
  createGraph('Spiral stair', ({ group, note, slider, add, expression, merge, paint, panel, pin }) => {
    group('Design', 'inputs')
    note(
      'A steel spiral stair around a pole.\nCheck the step under "Figures" before you change the number of steps.',
    )
    const rise = slider('Floor to floor', 3.2, { from: 2.4, to: 5, decimals: 2 })
    const steps = slider('Steps', 17, { from: 8, to: 30 })
    const turn = slider('Turn (degrees)', 345, { from: 180, to: 540 })
    const radius = slider('Outer radius', 1.1, { from: 0.7, to: 2, decimals: 2 })
    const pole = slider('Pole radius', 0.09, { from: 0.05, to: 0.3, decimals: 2 })
    const thickness = slider('Tread thickness', 0.05, { from: 0.02, to: 0.12, decimals: 2 })
    const railing = slider('Railing height', 0.95, { from: 0.9, to: 1.2, decimals: 2 })

    group('One tread', 'geometry')
    const angle = add('Division', [turn, steps], 'Angle of a step')
    const inner = add('Construct Point', [pole], 'Inner corner')
    const outer = add('Construct Point', [radius], 'Outer corner')
    const edgeMiddle = add('Transform/Rotate', [outer, degrees(formula('x/2', angle))], 'Middle of the edge')
    const outerEnd = add('Transform/Rotate', [outer, degrees(angle)], 'Next outer corner')
    const innerEnd = add('Transform/Rotate', [inner, degrees(angle)], 'Next inner corner')
    const corners = merge([inner, outer, edgeMiddle, outerEnd, innerEnd], 'Corners')
    const outline = add('PolyLine', [corners, true], 'Outline')
    const face = add('Boundary Surfaces', [outline], 'Tread face')
    const tread = add('Extrude', [face, add('Unit Z', [formula('-x', thickness)], 'Down')], 'Tread')

    group('Turn and lift', 'planes')
    const riser = add('Division', [rise, steps], 'Riser')
    const angles = add('Series', { Step: angle, Count: steps }, 'Angles')
    const heights = add('Series', [riser, riser, steps], 'Heights')
    const up = add('Unit Z', [heights], 'Up')
    const turned = add('Transform/Rotate', [tread, degrees(angles)], 'Turned')
    const treads = add('Move', [turned, up], 'Treads')

    group('Railing', 'structure')
    const around = add('Transform/Rotate', [edgeMiddle, degrees(angles)], 'Around')
    const feet = add('Move', [around, up], 'Feet of the posts')
    const direction = add('Unit Z', [], 'Upright')
    const posts = add('Line SDL', [feet, direction, railing], 'Posts')
    const rail = add('Interpolate', { Vertices: add('End Points', [posts], 'Ends').out('End') }, 'Handrail')
    const rods = add('Pipe', { Curve: posts, Radius: 0.012, Caps: 1 }, 'Rods')
    const tube = add('Pipe', { Curve: rail, Radius: 0.024, Caps: 2 }, 'Rail')

    group('Pole', 'structure')
    const height = add('Maths/Addition', [rise, railing], 'Pole height')
    const section = add('Boundary Surfaces', [add('Circle', { Radius: pole }, 'Section')], 'Pole face')
    const column = add('Extrude', [section, add('Unit Z', [height], 'Pole axis')], 'Pole')

    group('Look', 'display')
    paint('Oak', '#c9a26bff', treads)
    paint('Black steel', '#3a3f47ff', merge([rods, tube, column], 'Steel'))

    group('Figures', 'results')
    note(
      'Two risers and one going should make 0.59 to 0.65 m, on the walking line\nat two thirds of the radius.',
    )
    const going = expression('2/3*r*a*Pi/180', { r: radius, a: angle }, 'Going')
    const pace = expression('2*h+g', { h: riser, g: going }, 'Pace')
    panel('Riser (m)', riser)
    panel('Going (m)', going)
    panel('Pace (m)', pace)
    panel('Short enough', add('Smaller Than', [pace, 0.65], 'Not too long').out('… or Equal to'))
    panel('Long enough', add('Larger Than', [pace, 0.59], 'Not too short').out('… or Equal to'))

    pin([rise, steps, turn, radius], [riser, going, pace])
  })
