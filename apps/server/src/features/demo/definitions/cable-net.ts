import { createGraph } from '../graph/create-graph.ts'
import { flatten, formula, graft } from '../graph/feed.ts'

const RELAXATION = `using System.Collections.Generic;
using Rhino.Geometry;

// Lets every free node slide towards the middle of its neighbours, less its load, until it rests.
int across = Across + 1;
var nodes = new List<Point3d>(Plan);
for (int step = 0; step < Steps; step++)
{
  for (int i = 0; i < nodes.Count; i++)
  {
    if (Fixed[i]) continue;
    var middle = (nodes[i - 1] + nodes[i + 1] + nodes[i - across] + nodes[i + across]) / 4;
    nodes[i] += (middle - new Vector3d(0, 0, Load / Force) - nodes[i]) * 0.9;
  }
}
Net = nodes;
`

/**
 * A cable net roof whose shape is found by a C# script. All other geometry depends on the script, which does not run
 * here: the solve has a message on that node. Lengths in metres.
 */
export const cableNet = () =>
  createGraph(
    'Cable net roof (C#)',
    ({ group, note, slider, text, add, expression, merge, script, paint, panel, pin }) => {
      group('Design', 'inputs')
      note(
        'A net between two leaning arches. The C# script finds its shape.\nLengths in metres, forces in kN.',
      )
      const length = slider('Length', 40, { from: 15, to: 90 })
      const width = slider('Width', 26, { from: 10, to: 60 })
      const rise = slider('Rise of the arches', 8, { from: 2, to: 20, decimals: 1 })
      const along = slider('Cables across', 20, { from: 6, to: 50 })
      const across = slider('Cables along', 14, { from: 6, to: 40 })

      group('Plan of the net', 'planes')
      const domainX = add('Construct Domain', [0, length], 'Along')
      const domainY = add('Construct Domain', [0, width], 'Across')
      const stationsX = add('Range', [domainX, along], 'Stations along')
      const stationsY = add('Range', [domainY, across], 'Stations across')
      const plan = add('Construct Point', [graft(stationsX), stationsY], 'Plan')
      const coordinates = add('Deconstruct', [plan], 'Coordinates')
      const x = add('Flatten Tree', [coordinates], 'x')
      const y = add('Flatten Tree', [coordinates.out('Y component')], 'y')

      group('Edges stay where they are', 'data')
      note('1 on the two arches and on the two ground cables, 0 inside.')
      const edge = expression(
        'if(x*y*(a-x)*(b-y) < 0.000001, 1, 0)',
        { x, y, a: length, b: width },
        'On the edge',
      )
      const isEdge = add('Equality', [edge, 1], 'Held')
      const archHeight = expression('h*sin(Pi*x/a)', { h: rise, x, a: length }, 'Height of the arch')
      const heights = add('Multiplication', [archHeight, edge], 'Start heights')
      const start = add('Construct Point', [x, y, heights], 'Start shape')

      group('Form finding', 'geometry')
      const force = slider('Cable force', 45, { from: 5, to: 200 })
      const load = slider('Load on a node', 0.6, { from: 0, to: 5, decimals: 1 })
      const steps = slider('Steps', 400, { from: 10, to: 2000 })
      const found = script('Relaxation', {
        source: RELAXATION,
        inputs: { Plan: start, Fixed: isEdge, Across: across, Force: force, Load: load, Steps: steps },
        lists: ['Plan', 'Fixed'],
        outputs: ['Net'],
      })
      const net = found.out('Net')

      group('Cables', 'structure')
      const perRow = add('Maths/Addition', [across, 1], 'Nodes in a row')
      const rows = add('Partition List', [net, perRow], 'Rows')
      const crossCables = add('PolyLine', { Vertices: rows }, 'Cables across')
      const columns = add('Flip Matrix', [rows], 'Other way')
      const longCables = add('PolyLine', { Vertices: columns }, 'Cables along')
      const cables = merge([flatten(crossCables), flatten(longCables)], 'Cables')
      const ropes = add('Pipe', { Curve: cables, Radius: 0.03 }, 'Ropes')

      group('Membrane', 'geometry')
      const rowStarts = add('Series', { Step: perRow, Count: along }, 'First of each row')
      const indices = add('Series', { Count: across }, 'Place in the row')
      const corner = add('Maths/Addition', [graft(rowStarts), indices], 'Corner')
      const opposite = add('Maths/Addition', [corner, perRow], 'Corner of the next row')
      const faces = add(
        'Mesh Quad',
        [corner, formula('x+1', corner), formula('x+1', opposite), opposite],
        'Faces',
      )
      const membrane = add('Construct Mesh', { Vertices: net, Faces: flatten(faces) }, 'Membrane')

      group('Look', 'display')
      paint('Steel', '#3a3f47ff', ropes)
      paint('Membrane', '#f6f3eac0', membrane)

      group('Figures', 'results')
      note('Paste the safety factor from the wind tunnel report into the panel.')
      const lengths = add('Length', [cables], 'Cable lengths')
      const metres = add('Mass Addition', [lengths], 'Metres of cable')
      panel('Cables (m)', metres)
      const factor = text('Safety factor', '')
      const allowed = add('Division', [force, factor], 'Allowed force')
      panel('Allowed force (kN)', allowed)

      pin([length, width, rise, force], [metres, allowed])
    },
  )
