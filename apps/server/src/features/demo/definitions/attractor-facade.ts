import { createGraph } from '../graph/create-graph.ts'
import { domain, flatten, graft } from '../graph/feed.ts'

/** Façade panels whose openings shrink towards an entrance, the attractor. Lengths in metres. */
export const attractorFacade = () =>
  createGraph('Façade with an attractor', ({ group, note, slider, add, paint, panel, pin }) => {
    group('Design', 'inputs')
    note('The nearer a panel is to the attractor, the more it opens.\nLengths in metres.')
    const panelWidth = slider('Panel width', 1.35, { from: 0.6, to: 3, decimals: 2 })
    const panelHeight = slider('Panel height', 1.8, { from: 0.6, to: 4, decimals: 2 })
    const columns = slider('Panels across', 24, { from: 4, to: 60 })
    const rows = slider('Panels up', 12, { from: 2, to: 40 })
    const smallest = slider('Smallest opening', 0.18, { from: 0.05, to: 0.5, decimals: 2 })
    const largest = slider('Largest opening', 0.86, { from: 0.5, to: 0.95, decimals: 2 })

    group('Attractor', 'inputs')
    const attractorX = slider('Along the façade', 11, { from: 0, to: 60, decimals: 1 })
    const attractorZ = slider('Above the ground', 4.5, { from: 0, to: 40, decimals: 1 })
    const attractor = add(
      'Construct Point',
      { 'X coordinate': attractorX, 'Z coordinate': attractorZ },
      'Attractor',
    )

    group('Panels', 'planes')
    const wall = add('XZ Plane', [], 'Wall')
    const grid = add('Rectangular', [wall, panelWidth, panelHeight, columns, rows], 'Panel grid')
    const centres = add('Area', [grid], 'Panel centres')

    group('How far, and how open', 'data')
    note('Flattened, the distances have one domain;\nbranch by branch each row would have its own.')
    const distance = add('Distance', [centres.out('Centroid'), attractor], 'Distances')
    const nearToFar = add('Bounds', [flatten(distance)], 'Near to far')
    const openToClosed = add('Construct Domain', [largest, smallest], 'Open to closed')
    const factor = add('Remap Numbers', [distance, nearToFar, openToClosed], 'Opening')

    group('Openings', 'geometry')
    const openings = add('Scale', [grid, centres.out('Centroid'), factor], 'Openings')
    const panelEdges = add('Graft Tree', [grid], 'Edge by edge')
    const openingEdges = add('Graft Tree', [openings], 'Opening by opening')
    note('Both grafted: a branch holds one edge and its opening,\nand becomes a frame with a hole.')
    const frames = add('Boundary Surfaces', [[panelEdges, openingEdges]], 'Frames')
    const panes = add('Boundary Surfaces', [openingEdges], 'Panes')

    group('Depth', 'structure')
    note('Closed panels are thick, open ones are thin.')
    const depths = add('Remap Numbers', [factor, openToClosed, domain(0.08, 0.45)], 'Depths')
    const outwards = add('Unit Y', [graft(depths)], 'Outwards')
    const solids = add('Extrude', [frames, outwards], 'Cassettes')

    group('Look', 'display')
    const limit = slider('Accent above', 0.6, { from: 0, to: 1, decimals: 2 })
    const open = add('Larger Than', [factor, limit], 'Wide open')
    const sorted = add('Dispatch', [flatten(solids), flatten(open)], 'Accent and rest')
    paint('Brass', '#c6a04fff', sorted)
    paint('Fibre cement', '#a8adb3ff', sorted.out('List B'))
    paint('Glass', '#8fc1d966', panes)

    group('Figures', 'results')
    const glass = add('Mass Addition', [flatten(add('Area', [panes], 'Pane areas'))], 'Glass')
    const wallArea = add('Mass Addition', [flatten(centres)], 'Wall')
    const share = add('Division', [glass, wallArea], 'Share of glass')
    panel('Share of glass', share)
    const count = add('List Length', [flatten(solids)], 'Panels')
    panel('Panels', count)

    pin([attractorX, attractorZ, smallest, largest], [share, count])
  })
