import { createGraph } from '../graph/create-graph.ts'
import { flatten, formula, graft } from '../graph/feed.ts'

/** Rows of angled parking on both sides of one-way aisles, with trees and accessible stalls. Lengths in metres. */
export const parkingLayout = () =>
  createGraph('Parking layout', ({ group, note, slider, valueList, add, expression, paint, panel, pin }) => {
    group('Design', 'inputs')
    note('One-way aisles with a row of stalls on either side.\nLengths in metres.')
    const angleChoice = valueList('Stall angle', { '45°': 45, '60°': 60, '75°': 75, '90°': 90 }, '60°')
    const stallWidth = slider('Stall width', 2.6, { from: 2.3, to: 3.6, decimals: 2 })
    const stallLength = slider('Stall length', 5, { from: 4.5, to: 6, decimals: 2 })
    const aisle = slider('Aisle', 4.5, { from: 3.5, to: 7, decimals: 2 })
    const perRow = slider('Stalls in a row', 24, { from: 6, to: 80 })
    const modules = slider('Aisles', 3, { from: 1, to: 10 })
    const accessible = slider('Accessible stalls in a row', 2, { from: 0, to: 6 })
    const treeEvery = slider('A tree every … stalls', 6, { from: 3, to: 20 })

    group('Measures of an angled stall', 'data')
    note('The flatter the angle, the longer a stall along the aisle\nand the less deep the row.')
    const angle = add('Radians', [angleChoice], 'Angle')
    const pitch = expression('w/sin(a)', { w: stallWidth, a: angle }, 'Pitch along the aisle')
    const depth = expression('l*sin(a)', { l: stallLength, a: angle }, 'Depth of a row')
    const lean = expression('l*cos(a)', { l: stallLength, a: angle }, 'Lean')

    group('Where the rows start', 'planes')
    const modulePitch = expression('2*d+a', { d: depth, a: aisle }, 'Module')
    const moduleStarts = add('Series', { Step: modulePitch, Count: modules }, 'Starts of modules')
    const opposite = add('Maths/Addition', [depth, aisle], 'Across the aisle')
    const bothSides = add('Series', { Step: opposite, Count: 2 }, 'Both sides')
    const rowStarts = add('Maths/Addition', [graft(moduleStarts), bothSides], 'Starts of rows')
    const along = add('Series', { Step: pitch, Count: perRow }, 'Along a row')

    group('Stalls', 'geometry')
    note('Flattened and grafted again: a branch per row.')
    const rows = add('Flatten Tree', [rowStarts], 'Rows')
    const first = add('Construct Point', [along, graft(rows)], 'Front corner')
    const second = add('Move', [first, add('Unit X', [pitch], 'One pitch on')], 'Next front corner')
    const inwards = add('Vector XYZ', [lean, depth], 'Along the stall')
    const third = add('Move', [second, inwards], 'Next back corner')
    const fourth = add('Move', [first, inwards], 'Back corner')
    const stalls = add('4Point Surface', [first, second, third, fourth], 'Stalls')
    const marks = add('Line', [first, fourth], 'Markings')

    group('Accessible stalls, trees, and the rest', 'data')
    const split = add('Split List', [stalls, accessible], 'Accessible first')
    const indices = add('Series', { Start: 1, Count: perRow }, 'Place in the row')
    const treeTurn = add('Modulus', [indices, treeEvery], 'Turn of the tree')
    const isTree = add('Equality', [treeTurn, 0], 'Is a tree')
    const sorted = add(
      'Dispatch',
      { List: split.out('List B'), 'Dispatch pattern': isTree },
      'Trees and stalls',
    )

    group('Trees', 'structure')
    const beds = add('Area', [sorted], 'Tree beds')
    const trunkTop = slider('Clear trunk', 2.4, { from: 1.8, to: 4, decimals: 1 })
    const trunks = add('Line SDL', [beds.out('Centroid'), add('Unit Z', [], 'Up'), trunkTop], 'Trunks')
    const trunkTubes = add('Pipe', { Curve: trunks, Radius: 0.12 }, 'Trunk tubes')
    const crownCentres = add(
      'Move',
      [beds.out('Centroid'), add('Unit Z', [formula('x+1.1', trunkTop)])],
      'Crown centres',
    )
    const crowns = add('Sphere', [crownCentres, 1.5], 'Crowns')

    group('Lot', 'structure')
    const lotX = expression('n*p+l', { n: perRow, p: pitch, l: lean }, 'Lot length')
    const lotY = add('Multiplication', [modulePitch, modules], 'Lot width')
    const lotDomainX = add('Construct Domain', [-2, formula('x+2', lotX)], 'Along the lot')
    const lotDomainY = add('Construct Domain', [-2, formula('x+2', lotY)], 'Across the lot')
    const kerb = add('Rectangle', { 'X Size': lotDomainX, 'Y Size': lotDomainY, Radius: 2 }, 'Kerb')
    const asphalt = add('Boundary Surfaces', [kerb], 'Asphalt face')
    const ground = add('Extrude', [asphalt, add('Unit Z', [-0.3], 'Down')], 'Asphalt')

    group('Look', 'display')
    paint('Asphalt', '#55595fff', ground)
    paint('Stalls', '#c9cdd1ff', sorted.out('List B'))
    paint('Accessible', '#2f6fb3ff', split)
    paint('Beds', '#8a6b4aff', sorted)
    paint('Markings', '#ffffffff', marks)
    paint('Crowns', '#5f8f4eff', crowns)
    paint('Trunks', '#6b4f3aff', trunkTubes)

    group('Figures', 'results')
    const normal = add('List Length', [flatten(sorted.out('List B'))], 'Ordinary stalls')
    const special = add('List Length', [flatten(split)], 'Accessible stalls')
    const total = add('Maths/Addition', [normal, special], 'Stalls in all')
    const lotArea = add('Area', [kerb], 'Lot area')
    const each = add('Division', [lotArea, total], 'Area per stall')
    panel('Stalls', total)
    panel('Area per stall (m²)', each)

    pin([angleChoice, perRow, modules, treeEvery], [total, each])
  })
