import { createGraph } from '../graph/create-graph.ts'
import { domain, flatten, graft, point } from '../graph/feed.ts'

/** Louvres and fins on a curved façade that turn with the position of the sun. Lengths in metres. */
export const sunLouvres = () =>
  createGraph(
    'Sun shading louvres',
    ({ group, note, slider, parameter, add, expression, paint, panel, pin }) => {
      group('Sun', 'inputs')
      note('Azimuth from east, counter-clockwise; altitude above the horizon. Both in degrees.')
      const azimuth = slider('Azimuth', 235, { from: 180, to: 360 })
      const altitude = slider('Altitude', 42, { from: 0, to: 90 })
      const azimuthRadians = add('Radians', [azimuth], 'Azimuth in radians')
      const altitudeRadians = add('Radians', [altitude], 'Altitude in radians')
      const sunX = expression('cos(a)*cos(h)', { a: azimuthRadians, h: altitudeRadians }, 'To the sun, x')
      const sunY = expression('sin(a)*cos(h)', { a: azimuthRadians, h: altitudeRadians }, 'To the sun, y')
      const sunZ = add('Sine', [altitudeRadians], 'To the sun, z')
      const sun = add('Vector XYZ', [sunX, sunY, sunZ], 'To the sun')

      group('Façade', 'inputs')
      note('Move the five points to bend the façade.')
      const corners = parameter('Point', 'Façade line', [
        point(0, 0, 0),
        point(9, -2.4, 0),
        point(18, -3, 0),
        point(27, -1.2, 0),
        point(36, 2.5, 0),
      ])
      const line = add('Interpolate', { Vertices: corners }, 'Façade')
      const height = slider('Façade height', 14, { from: 3, to: 40, decimals: 1 })
      const wall = add('Extrude', [line, add('Unit Z', [height], 'Up')], 'Wall')

      group('Stations along the façade', 'planes')
      note('The tangent turned a right angle clockwise looks outwards.')
      const bays = slider('Bays', 30, { from: 8, to: 80 })
      const stations = add('Divide Curve', { Curve: line, Count: bays }, 'Stations')
      const upwards = add('Unit Z', [], 'Axis')
      const normals = add(
        'Vector/Rotate',
        { Vector: stations.out('Tangents'), Axis: upwards, Angle: -Math.PI / 2 },
        'Outwards',
      )

      group('Fins', 'structure')
      note('The further the sun stands to the side, the more a fin turns to meet it.')
      const finDepth = slider('Fin depth', 0.55, { from: 0.2, to: 1.2, decimals: 2 })
      const mostTurn = slider('Most turn', 65, { from: 0, to: 90 })
      const sideways = add('Angle', { 'Vector A': normals, 'Vector B': sun }, 'Sun to the side')
      const turnTo = add('Construct Domain', [0, add('Radians', [mostTurn], 'Most turn in radians')], 'Turn')
      const turns = add('Remap Numbers', [sideways, domain(0, Math.PI), turnTo], 'Turn of each fin')
      const directions = add('Vector/Rotate', [normals, upwards, turns], 'Fin directions')
      const feet = add('Line SDL', [stations, directions, finDepth], 'Fin feet')
      const fins = add('Extrude', [feet, add('Unit Z', [height], 'Fin height')], 'Fins')

      group('Louvres', 'structure')
      note('A low sun tips the blades, a high one leaves them level.')
      const bladeDepth = slider('Blade depth', 0.42, { from: 0.1, to: 1, decimals: 2 })
      const spacing = slider('Spacing', 0.7, { from: 0.3, to: 2, decimals: 2 })
      const tilt = add('Remap Numbers', [altitude, domain(0, 90), domain(60, 0)], 'Tilt in degrees')
      const tiltRadians = add('Radians', [tilt], 'Tilt')
      const outwards = expression('d*cos(t)', { d: bladeDepth, t: tiltRadians }, 'Reach')
      const downwards = expression('-d*sin(t)', { d: bladeDepth, t: tiltRadians }, 'Drop')
      const reach = add('Amplitude', [normals, outwards], 'Outwards by reach')
      const drop = add('Unit Z', [downwards], 'Downwards by drop')
      const edgePoints = add(
        'Move',
        [stations, add('Maths/Addition', [reach, drop], 'Blade')],
        'Outer edge points',
      )
      const innerEdge = add('Interpolate', { Vertices: stations }, 'Inner edge')
      const outerEdge = add('Interpolate', { Vertices: edgePoints }, 'Outer edge')
      const blade = add('Loft', { Curves: [innerEdge, outerEdge] }, 'One blade')
      const count = expression('Floor(h/s)', { h: height, s: spacing }, 'Rows')
      const levels = add('Series', [spacing, spacing, count], 'Levels')
      const blades = add('Move', [blade, graft(add('Unit Z', [levels], 'To the levels'))], 'Blades')

      group('Sun path', 'display')
      const lookout = add('Curve Middle', [line], 'Middle of the façade')
      const ray = add('Line SDL', [lookout, sun, 12], 'Ray')
      const disc = add('Sphere', [add('End Points', [ray], 'Sun place').out('End'), 0.6], 'Sun')

      group('Look', 'display')
      paint('Terracotta', '#c2653cff', blades)
      paint('Bronze', '#7d5a3aff', fins)
      paint('Glass', '#8fc1d966', wall)
      paint('Sun', '#f4c430ff', disc)

      group('Figures', 'results')
      const bladeLength = add('Length', [innerEdge], 'Length of a blade')
      const metres = add('Multiplication', [bladeLength, count], 'Metres of louvre')
      panel('Louvres (m)', metres)
      panel('Tilt (°)', tilt)
      const finCount = add('List Length', [flatten(fins)], 'Fins')
      panel('Fins', finCount)

      pin([azimuth, altitude, bladeDepth, spacing], [metres, tilt])
    },
  )
