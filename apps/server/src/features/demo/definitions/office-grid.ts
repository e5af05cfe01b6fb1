import { createGraph } from '../graph/create-graph.ts'
import { flatten, formula, graft } from '../graph/feed.ts'

/** Columns, slabs, beams and core of an office building on a rectangular grid. Lengths in metres. */
export const officeGrid = () =>
  createGraph('Office column grid', ({ group, note, slider, text, add, expression, paint, panel, pin }) => {
    group('Design', 'inputs')
    note('Set the grid here first; everything else follows.\nLengths in metres.')
    const bayX = slider('Bay in x', 8.1, { from: 5, to: 14, decimals: 2 })
    const bayY = slider('Bay in y', 7.2, { from: 5, to: 14, decimals: 2 })
    const countX = slider('Bays in x', 7, { from: 1, to: 20 })
    const countY = slider('Bays in y', 3, { from: 1, to: 20 })
    const storeys = slider('Storeys', 6, { from: 1, to: 30 })
    const storeyHeight = slider('Storey height', 3.7, { from: 2.8, to: 6, decimals: 2 })
    const column = slider('Column', 0.5, { from: 0.2, to: 1.2, decimals: 2 })
    const slab = slider('Slab', 0.28, { from: 0.15, to: 0.6, decimals: 2 })

    group('Grid', 'planes')
    const grid = add('Rectangular', {
      'Size X': bayX,
      'Size Y': bayY,
      'Extent X': countX,
      'Extent Y': countY,
    })
    const crossings = add('Flatten Tree', [grid.out('Points')], 'Crossings')
    const lengthX = add('Multiplication', [bayX, countX], 'Length in x')
    const lengthY = add('Multiplication', [bayY, countY], 'Length in y')

    group('Core', 'geometry')
    note('Columns that would stand in the core are left out.')
    const coreSize = slider('Core, half its side', 4.2, { from: 2, to: 10, decimals: 1 })
    const middle = add('Construct Point', [formula('x/2', lengthX), formula('x/2', lengthY)], 'Middle')
    const side = add('Construct Domain', [formula('-x', coreSize), coreSize], 'Side')
    const middlePlane = add('XY Plane', [middle], 'Middle plane')
    const coreEdge = add('Rectangle', { Plane: middlePlane, 'X Size': side, 'Y Size': side }, 'Core outline')
    const height = add('Multiplication', [storeys, storeyHeight], 'Height')
    const coreFace = add('Boundary Surfaces', [coreEdge], 'Core face')
    const core = add('Extrude', [coreFace, add('Unit Z', [formula('x+3', height)], 'Over the roof')], 'Core')
    const away = add('Distance', [crossings, middle], 'Distance from the middle')
    const outside = add('Larger Than', [away, formula('x*Sqrt(2)', coreSize)], 'Outside the core')
    const points = add('Cull Pattern', [crossings, outside], 'Column places')

    group('Columns', 'structure')
    note('Columns of one storey, moved to each level:\nthe grafted motion makes a branch per storey.')
    const half = add('Construct Domain', [formula('-x/2', column), formula('x/2', column)], 'Half a column')
    const feet = add('XY Plane', [points], 'Feet')
    const sections = add('Rectangle', { Plane: feet, 'X Size': half, 'Y Size': half }, 'Sections')
    const bases = add('Boundary Surfaces', [graft(sections)], 'Bases')
    const clear = add('Subtraction', [storeyHeight, slab], 'Clear height')
    const oneStorey = add('Extrude', [bases, add('Unit Z', [clear], 'Clear')], 'Columns of a storey')
    const floors = add('Series', { Step: storeyHeight, Count: storeys }, 'Floor levels')
    const lift = add('Unit Z', [floors], 'Lift')
    const columns = add('Move', [flatten(oneStorey), graft(lift)], 'Columns')

    group('Slabs', 'structure')
    const overhang = slider('Overhang', 1.5, { from: 0, to: 4, decimals: 1 })
    const plateX = add(
      'Construct Domain',
      [formula('-x', overhang), add('Maths/Addition', [lengthX, overhang], 'End in x')],
      'Plate in x',
    )
    const plateY = add(
      'Construct Domain',
      [formula('-x', overhang), add('Maths/Addition', [lengthY, overhang], 'End in y')],
      'Plate in y',
    )
    const plate = add('Rectangle', { 'X Size': plateX, 'Y Size': plateY }, 'Plate')
    const plateFace = add('Boundary Surfaces', [plate], 'Plate face')
    const thick = add('Extrude', [plateFace, add('Unit Z', [slab], 'Slab thickness')], 'Slab')
    const tops = add('Series', { Start: clear, Step: storeyHeight, Count: storeys }, 'Underside of slabs')
    const slabs = add('Move', [thick, add('Unit Z', [tops], 'To their levels')], 'Slabs')

    group('Grid lines and their names', 'display')
    note('Lines of x are numbered, lines of y have letters.')
    const linesY = add('PolyLine', { Vertices: grid.out('Points') }, 'Lines in y')
    const linesX = add(
      'PolyLine',
      { Vertices: add('Flip Matrix', [grid.out('Points')], 'Other way') },
      'Lines in x',
    )
    const letters = text('Letters', 'A\nB\nC\nD\nE\nF\nG\nH\nJ\nK\nL\nM\nN\nP\nQ\nR\nS\nT\nU\nV\nW')
    const startsX = add('End Points', [flatten(linesX)], 'Starts in x')
    const matching = add('Shortest List', [letters, startsX], 'One letter a line')
    add('Text Tag', { Location: matching.out('List (B)'), Text: matching }, 'Letters at the lines')
    const startsY = add('End Points', [flatten(linesY)], 'Starts in y')
    const numbers = add('Series', [1, 1, formula('x+1', countX)], 'Numbers')
    add('Text Tag', { Location: startsY, Text: numbers }, 'Numbers at the lines')

    group('Look', 'display')
    paint('Columns', '#8d99a6ff', columns)
    paint('Slabs', '#dcd8d0b0', slabs)
    paint('Core', '#b56a4cff', core)

    group('Figures', 'results')
    const count = add('List Length', [flatten(columns)], 'Number of columns')
    panel('Columns', count)
    const plateArea = add('Area', [plateFace], 'Plate area')
    const area = add('Multiplication', [plateArea, storeys], 'Gross area')
    panel('Floor area (m²)', area)
    const volume = expression(
      'c^2*h*n+a*d*s',
      { c: column, h: clear, n: count, a: plateArea, d: slab, s: storeys },
      'Concrete',
    )
    panel('Concrete without the core (m³)', volume)

    pin([bayX, bayY, countX, countY, storeys], [count, area])
  })
