import { createGraph } from '../graph/create-graph.ts'
import { degrees, flatten, formula, graft } from '../graph/feed.ts'

/** A tower whose rounded floor plate turns and shrinks on its way up. Lengths in metres. */
export const twistedTower = () =>
  createGraph('Twisted tower', ({ group, note, slider, add, paint, panel, pin }) => {
    group('Design', 'inputs')
    note('A floor plate that turns and tapers on its way up.\nLengths in metres, the twist in degrees.')
    const storeys = slider('Storeys', 42, { from: 10, to: 80 })
    const storeyHeight = slider('Storey height', 3.8, { from: 2.8, to: 5, decimals: 1 })
    const width = slider('Plate width', 34, { from: 15, to: 60 })
    const depth = slider('Plate depth', 26, { from: 15, to: 60 })
    const corner = slider('Corner radius', 5, { from: 0.5, to: 7, decimals: 1 })
    const twist = slider('Twist', 110, { from: -180, to: 180 })
    const top = slider('Scale at the top', 0.62, { from: 0.3, to: 1.2, decimals: 2 })
    const thickness = slider('Slab thickness', 0.3, { from: 0.2, to: 0.5, decimals: 2 })
    const panels = slider('Panels per storey', 36, { from: 12, to: 80 })

    group('A level for every storey, and one for the roof', 'planes')
    const heights = add('Series', { Step: storeyHeight, Count: formula('x+1', storeys) }, 'Heights')
    const origins = add('Construct Point', { 'Z coordinate': heights }, 'Origins')
    const levels = add('XY Plane', [origins], 'Levels')
    const share = add('Range', { Steps: storeys }, 'Share of height')

    group('Turn and taper the plates', 'geometry')
    const sizeX = add('Construct Domain', [formula('-x/2', width), formula('x/2', width)], 'Width')
    const sizeY = add('Construct Domain', [formula('-x/2', depth), formula('x/2', depth)], 'Depth')
    const rounded = add('Rectangle', { Plane: levels, 'X Size': sizeX, 'Y Size': sizeY, Radius: corner })
    const angles = add('Multiplication', [share, twist], 'Angles')
    const turned = add('Transform/Rotate', { Geometry: rounded, Angle: degrees(angles), Plane: levels })
    const scales = add('Construct Domain', [1, top], 'Scales')
    const factors = add('Remap Numbers', { Value: share, Target: scales }, 'Factors')
    const plates = add('Scale', { Geometry: turned, Center: origins, Factor: factors }, 'Plates')

    group('Slabs', 'structure')
    note('Each plate in a branch of its own,\nso that each becomes a surface of its own.')
    const faces = add('Boundary Surfaces', [graft(plates)], 'Slab faces')
    const down = add('Unit Z', [formula('-x', thickness)], 'Down')
    paint('Concrete', '#d8d2c8ff', add('Extrude', [faces, down], 'Slabs'))

    group('Skin', 'geometry')
    note('A branch per storey, with the plate below and the plate above.')
    const lower = add('Shift List', { List: plates, Shift: -1, Wrap: false }, 'Plates below')
    const upper = add('Shift List', { List: plates, Shift: 1, Wrap: false }, 'Plates above')
    const pairs = [add('Graft Tree', [lower], 'Below'), add('Graft Tree', [upper], 'Above')]
    paint('Glass', '#8fc1d966', add('Loft', { Curves: pairs }, 'Skin'))

    group('Mullions', 'structure')
    note('Divide gives a branch per storey.\nFlip Matrix makes that a branch per mullion.')
    const marks = add('Divide Curve', { Curve: plates, Count: panels }, 'Panel joints')
    const upright = add('Flip Matrix', [marks], 'By mullion')
    const mullions = add('Interpolate', { Vertices: upright }, 'Mullions')
    paint('Aluminium', '#5b6470ff', add('Pipe', { Curve: mullions, Radius: 0.08 }, 'Tubes'))

    group('Figures', 'results')
    const areas = add('Area', [faces], 'Plate areas')
    const total = add('Mass Addition', [flatten(areas)], 'Gross area')
    panel('Gross floor area (m²)', total)
    const height = add('Multiplication', [storeys, storeyHeight], 'Height')
    panel('Height (m)', height)
    const tip = add('List Item', { List: flatten(areas), Index: -1 }, 'Last plate')
    panel('Area of the top plate (m²)', tip)

    pin([storeys, storeyHeight, twist, top], [total, height])
  })
