import { buildChunk, buildDefinition, buildItem, buildObject } from './build-archive.ts'

/** The file `tower.gh` that the examples of the README read: a definition with one slider. */
export const createTower = () =>
  buildDefinition([
    buildObject({
      guid: '57da07bd-ecab-415d-9d86-af36d7073abc',
      id: 1,
      name: 'Number Slider',
      container: [buildChunk('Slider', [buildItem('double', 'Min', 2), buildItem('double', 'Value', 5)])],
    }),
  ])
