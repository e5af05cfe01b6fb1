import { createGraph } from '../graph/create-graph.ts'
import { flatten, formula, graft, point } from '../graph/feed.ts'

/** A tree column: a trunk, limbs, and twigs under a roof, repeated on a grid. Lengths in metres. */
export const branchingColumn = () =>
  createGraph('Branching column', ({ group, note, slider, parameter, add, merge, paint, panel, pin }) => {
    group('Design', 'inputs')
    note('A trunk forks into limbs, each limb into twigs, and the twigs carry the roof.\nLengths in metres.')
    const height = slider('Height', 9, { from: 4, to: 20, decimals: 1 })
    const forks = slider('Branches at a fork', 4, { from: 2, to: 8 })
    const limbSpread = slider('Spread of the limbs', 2.2, { from: 0.5, to: 5, decimals: 1 })
    const twigSpread = slider('Spread of the twigs', 1.1, { from: 0.3, to: 3, decimals: 1 })
    const trunkRadius = slider('Trunk radius', 0.22, { from: 0.1, to: 0.5, decimals: 2 })

    group('Trunk', 'structure')
    const foot = parameter('Point', 'Foot', point(0, 0, 0))
    const up = add('Unit Z', [formula('x*0.45', height)], 'Up to the fork')
    const fork = add('Move', [foot, up], 'Fork')
    const trunk = add('Line', [foot, fork], 'Trunk')

    group('Limbs', 'structure')
    note('The ends of the limbs lie on a circle above the fork.')
    const higher = add('Unit Z', [formula('x*0.3', height)], 'Up to the limb ends')
    const limbCentre = add('Move', [fork, higher], 'Above the fork')
    const limbCircle = add('Circle', [add('XY Plane', [limbCentre], 'Limb plane'), limbSpread], 'Limb circle')
    const limbEnds = add('Divide Curve', { Curve: limbCircle, Count: forks }, 'Limb ends')
    const limbs = add('Line', [fork, limbEnds], 'Limbs')

    group('Twigs', 'structure')
    note('Each limb end in a branch of its own\nmeets the twig ends in the branch of the same path.')
    const highest = add('Unit Z', [formula('x*0.25', height)], 'Up to the roof')
    const twigCentres = add('Move', [limbEnds, highest], 'Above the limbs')
    const twigCircles = add(
      'Circle',
      [add('XY Plane', [flatten(twigCentres)], 'Twig planes'), twigSpread],
      'Twig circles',
    )
    const twigEnds = add('Divide Curve', { Curve: twigCircles, Count: forks }, 'Twig ends')
    const twigStarts = add('Graft Tree', [flatten(limbEnds)], 'Limb by limb')
    const twigs = add('Line', [twigStarts, twigEnds], 'Twigs')

    group('Round members', 'geometry')
    note('Each fork shares the load, so the members get thinner.')
    const trunkTube = add('Pipe', { Curve: trunk, Radius: trunkRadius, Caps: 2 }, 'Trunk tube')
    const limbTubes = add(
      'Pipe',
      { Curve: limbs, Radius: formula('x*0.6', trunkRadius), Caps: 2 },
      'Limb tubes',
    )
    const twigTubes = add(
      'Pipe',
      { Curve: twigs, Radius: formula('x*0.36', trunkRadius), Caps: 2 },
      'Twig tubes',
    )
    const tree = merge([flatten(trunkTube), flatten(limbTubes), flatten(twigTubes)], 'One column')

    group('Grid of columns', 'planes')
    note('Grafted motions: each place gets a whole column.')
    const spacing = slider('Spacing', 7.5, { from: 4, to: 15, decimals: 1 })
    const countX = slider('Columns in x', 3, { from: 1, to: 8 })
    const countY = slider('Columns in y', 2, { from: 1, to: 8 })
    const xs = add('Series', { Step: spacing, Count: countX }, 'x')
    const ys = add('Series', { Step: spacing, Count: countY }, 'y')
    const points = add('Vector XYZ', [graft(xs), ys], 'Places')
    const columns = add('Move', [tree, graft(points)], 'Columns')

    group('Roof', 'structure')
    const under = add('XY Plane', [add('Construct Point', { 'Z coordinate': height }, 'Top')], 'Roof plane')
    const edge = formula('-x/2', spacing)
    const roofX = add(
      'Construct Domain',
      [edge, add('Multiplication', [spacing, formula('x-0.5', countX)])],
      'Roof in x',
    )
    const roofY = add(
      'Construct Domain',
      [edge, add('Multiplication', [spacing, formula('x-0.5', countY)])],
      'Roof in y',
    )
    const outline = add('Rectangle', { Plane: under, 'X Size': roofX, 'Y Size': roofY }, 'Roof edge')
    const soffit = add('Boundary Surfaces', [outline], 'Soffit')
    const roof = add('Extrude', [soffit, add('Unit Z', [0.25], 'Roof build-up')], 'Roof')

    group('Look', 'display')
    paint('Oak', '#b98b5fff', columns)
    paint('Roof', '#e4e1d8a0', roof)

    group('Figures', 'results')
    const members = merge([trunk, flatten(limbs), flatten(twigs)], 'Members of a column')
    const metres = add('Mass Addition', [add('Length', [members], 'Member lengths')], 'Metres per column')
    panel('Timber per column (m)', metres)
    const area = add('Area', [soffit], 'Covered area')
    panel('Covered (m²)', area)

    pin([height, forks, limbSpread, spacing], [metres, area])
  })
