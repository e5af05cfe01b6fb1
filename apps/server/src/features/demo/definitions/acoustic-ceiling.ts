import { createGraph } from '../graph/create-graph.ts'
import { flatten, graft } from '../graph/feed.ts'

/** Hexagonal baffles under a ceiling, hung in waves, some of them in an accent colour. Lengths in metres. */
export const acousticCeiling = () =>
  createGraph('Acoustic ceiling', ({ group, note, slider, add, expression, paint, panel, pin }) => {
    group('Design', 'inputs')
    note('Hexagonal felt baffles, hung in waves.\nLengths in metres.')
    const size = slider('Side of a hexagon', 0.6, { from: 0.2, to: 1.5, decimals: 2 })
    const countX = slider('Baffles in x', 18, { from: 3, to: 60 })
    const countY = slider('Baffles in y', 12, { from: 3, to: 60 })
    const ceiling = slider('Ceiling height', 4.2, { from: 2.5, to: 12, decimals: 1 })
    const shortest = slider('Shortest hanger', 0.25, { from: 0.1, to: 1, decimals: 2 })
    const wave = slider('Wave', 0.6, { from: 0, to: 2, decimals: 2 })
    const waveLength = slider('Wave length', 5.5, { from: 1, to: 20, decimals: 1 })

    group('Cells', 'planes')
    const grid = add('Hexagonal', { Size: size, 'Extent X': countX, 'Extent Y': countY })
    const cells = add('Flatten Tree', [grid], 'Cells')
    const centres = add('Flatten Tree', [grid.out('Points')], 'Centres')

    group('How low each baffle hangs', 'data')
    const at = add('Deconstruct', [centres], 'Place')
    const hangers = expression(
      's+w*(0.5+0.25*sin(2*Pi*x/l)+0.25*cos(2*Pi*y/l))',
      { s: shortest, w: wave, l: waveLength, x: at, y: at.out('Y component') },
      'Hangers',
    )
    const heights = add('Subtraction', [ceiling, hangers], 'Heights')

    group('Baffles', 'geometry')
    note('The lower a baffle hangs, the smaller it is.')
    const lengths = add('Bounds', [hangers], 'Shortest to longest')
    const largeToSmall = add('Construct Domain', [0.94, 0.6], 'Large to small')
    const factors = add('Remap Numbers', [hangers, lengths, largeToSmall], 'Sizes')
    const scaled = add('Scale', [cells, centres, factors], 'Outlines')
    const hung = add('Move', [scaled, add('Unit Z', [heights], 'To their heights')], 'Hung')
    const faces = add('Boundary Surfaces', [graft(hung)], 'Faces')
    const felt = slider('Felt thickness', 0.05, { from: 0.02, to: 0.12, decimals: 2 })
    const baffles = add('Extrude', [faces, add('Unit Z', [felt], 'Felt')], 'Baffles')

    group('Hangers', 'structure')
    const tops = add('Move', [centres, add('Unit Z', [ceiling], 'Up to the ceiling')], 'Fixings')
    const down = add('Unit Z', [-1], 'Down')
    const wires = add('Line SDL', [tops, down, hangers], 'Wires')

    group('Accents', 'data')
    const share = slider('Share of accents', 0.15, { from: 0, to: 1, decimals: 2 })
    const seed = slider('Seed', 7, { from: 0, to: 100 })
    const count = add('List Length', [centres], 'Number of baffles')
    const dice = add('Random', { Number: count, Seed: seed }, 'Dice')
    const isAccent = add('Smaller Than', [dice, share], 'Is an accent')
    const sorted = add('Dispatch', [flatten(baffles), isAccent], 'Accents and rest')

    group('Look', 'display')
    paint('Accent felt', '#d9792bff', sorted)
    paint('Grey felt', '#9aa0a6ff', sorted.out('List B'))
    paint('Wire', '#2e3238ff', wires)

    group('Figures', 'results')
    const areas = add('Area', [faces], 'Face areas')
    const absorbing = add('Mass Addition', [flatten(areas)], 'One side')
    const both = add('Multiplication', [absorbing, 2], 'Both sides')
    panel('Baffles', count)
    panel('Felt, both sides (m²)', both)

    pin([size, wave, waveLength, share], [count, both])
  })
