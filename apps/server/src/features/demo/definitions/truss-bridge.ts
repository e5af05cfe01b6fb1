import { createGraph } from '../graph/create-graph.ts'
import { flatten, formula, graft } from '../graph/feed.ts'

/** A Pratt truss footbridge with a cambered top chord. Lengths in metres. */
export const trussBridge = () =>
  createGraph('Truss bridge', ({ group, note, slider, add, expression, merge, paint, panel, pin }) => {
    group('Design', 'inputs')
    note(
      'Two Pratt trusses with a cambered top chord.\nThe diagonals fall towards the middle, so they are in tension.',
    )
    const span = slider('Span', 48, { from: 20, to: 90 })
    const bays = slider('Bays', 12, { from: 4, to: 24, interval: 'even' })
    const depth = slider('Depth at the ends', 3.2, { from: 1.5, to: 6, decimals: 1 })
    const camber = slider('Camber', 2.4, { from: 0, to: 6, decimals: 1 })
    const width = slider('Deck width', 5, { from: 2, to: 12, decimals: 1 })
    const chordRadius = slider('Chord radius', 0.18, { from: 0.05, to: 0.4, decimals: 2 })
    const webRadius = slider('Web radius', 0.09, { from: 0.03, to: 0.3, decimals: 2 })

    group('Nodes of one truss', 'planes')
    const length = add('Construct Domain', [0, span], 'Length')
    const stations = add('Range', { Domain: length, Steps: bays }, 'Stations')
    const rise = expression('d+c*sin(Pi*x/s)', { x: stations, s: span, d: depth, c: camber }, 'Heights')
    const bottom = add('Construct Point', { 'X coordinate': stations }, 'Bottom nodes')
    const top = add('Construct Point', { 'X coordinate': stations, 'Z coordinate': rise }, 'Top nodes')

    group('Chords and posts', 'structure')
    const bottomChord = add('PolyLine', { Vertices: bottom }, 'Bottom chord')
    const topChord = add('PolyLine', { Vertices: top }, 'Top chord')
    const posts = add('Line', [bottom, top], 'Posts')
    const chords = merge([bottomChord, topChord], 'Chords')

    group('Diagonals', 'structure')
    note(
      'Without its last node a list pairs each node with the next one of the other list,\nwithout its first with the one before.',
    )
    const bottomButLast = add('Cull Index', { List: bottom, Indices: -1 }, 'Bottom, last left out')
    const bottomButFirst = add('Cull Index', { List: bottom, Indices: 0 }, 'Bottom, first left out')
    const topButLast = add('Cull Index', { List: top, Indices: -1 }, 'Top, last left out')
    const topButFirst = add('Cull Index', { List: top, Indices: 0 }, 'Top, first left out')
    const falling = add('Line', [topButLast, bottomButFirst], 'Falling')
    const rising = add('Line', [bottomButLast, topButFirst], 'Rising')
    const middle = add('Division', [bays, 2], 'Middle bay')
    const left = add('Split List', [falling, middle], 'Left half')
    const right = add('Split List', [rising, middle], 'Right half')
    const web = merge([posts, left.out('List A'), right.out('List B')], 'Web')

    group('The truss and its twin', 'geometry')
    note('Two motions, each in a branch of its own:\neach one moves every member.')
    const offsets = add('Series', { Step: width, Count: 2 }, 'Sides')
    const sideways = add('Unit Y', [offsets], 'Sideways')
    const bothChords = add('Move', [chords, graft(sideways)], 'Chords of both sides')
    const bothWebs = add('Move', [web, graft(sideways)], 'Webs of both sides')

    group('Deck and bracing', 'structure')
    const across = add('Unit Y', [width], 'Across')
    const farBottom = add('Move', [bottom, across], 'Far bottom nodes')
    const farTop = add('Move', [top, across], 'Far top nodes')
    const deck = add('Extrude', [bottomChord, across], 'Deck')
    const beams = add('Line', [bottom, farBottom], 'Cross beams')
    const struts = add('Line', [top, farTop], 'Top struts')
    const farTopButFirst = add('Cull Index', { List: farTop, Indices: 0 }, 'Far top, first left out')
    const braces = add('Line', [topButLast, farTopButFirst], 'Wind bracing')
    const bracing = merge([beams, struts, braces], 'Bracing')

    group('Look', 'display')
    paint(
      'Chord steel',
      '#b5442eff',
      add('Pipe', { Curve: bothChords, Radius: chordRadius, Caps: 1 }, 'Chord tubes'),
    )
    paint('Web steel', '#d9795dff', add('Pipe', { Curve: bothWebs, Radius: webRadius, Caps: 1 }, 'Web tubes'))
    const thin = add(
      'Pipe',
      { Curve: bracing, Radius: formula('x*0.7', webRadius), Caps: 1 },
      'Bracing tubes',
    )
    paint('Bracing steel', '#8a8f98ff', thin)
    paint('Oak deck', '#c9a26bff', deck)

    group('Figures', 'results')
    const members = merge([flatten(bothChords), flatten(bothWebs), flatten(bracing)], 'All members')
    const lengths = add('Length', [members], 'Member lengths')
    const metres = add('Mass Addition', [lengths], 'Metres of steel')
    const perMetre = slider('Steel per metre (kg)', 38, { from: 10, to: 120 })
    const tonnes = expression('m*k/1000', { m: metres, k: perMetre }, 'Tonnes')
    const count = add('List Length', [members], 'Members')
    panel('Members', count)
    panel('Steel (t)', tonnes)

    pin([span, bays, camber, width], [tonnes, count])
  })
