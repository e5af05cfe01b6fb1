// Each rule is an arrow of ARCHITECTURE.md: its name, the importing files, and the files that they may import.
const tests = '\\.test\\.ts$|/testing[/.]'
const allows = (name, importers, ...imported) => ({
  name,
  severity: 'error',
  from: { path: importers, pathNot: tests },
  to: { path: '^(apps|packages)/', pathNot: imported },
})
const server = '^apps/server/src/'

/**
 * A folder of `root` may import from itself and from the folders that come before it in the list. An array is one
 * level: its folders may not import from each other. Packages, and other parts of the same one, have rules of their own.
 */
const layers = (root, ...levels) =>
  levels.flatMap((level, index) =>
    [level]
      .flat()
      .map((folder) =>
        allows(
          `${root} ${folder} imports from lower layers only`,
          `^${root}/${folder}/`,
          `^${root}/(${[...levels.slice(0, index).flat(), folder].join('|')})/`,
          `^packages/(?!${root.replace('packages/', '')}/)`,
        ),
      ),
  )
const serverLayers = ['platform', 'audit', 'team', 'access', 'content', 'library', 'http']

export default {
  forbidden: [
    allows('contract imports nothing of ours', '^packages/contract/', '^packages/contract/'),
    allows('inflate imports nothing of ours', '^packages/inflate/', '^packages/inflate/'),
    allows('processes imports nothing of ours', '^packages/processes/', '^packages/processes/'),
    allows('command imports nothing of ours', '^packages/command/', '^packages/command/'),
    allows('conformance imports nothing of ours', '^packages/conformance/', '^packages/conformance/'),
    allows('passwords imports nothing of ours', '^packages/passwords/', '^packages/passwords/'),
    allows(
      'document imports the contract and inflate only',
      '^packages/document/',
      '^packages/(document|contract|inflate)/',
    ),
    allows(
      'grasshopper imports the document only',
      '^packages/grasshopper/',
      '^packages/(grasshopper|document|contract|inflate)/',
    ),
    allows('diff imports the document only', '^packages/diff/', '^packages/(diff|document|contract)/'),
    allows(
      'geometry imports the document only',
      '^packages/geometry/',
      '^packages/(geometry|document|contract)/',
    ),
    ...['solver', 'drawing'].map((name) =>
      allows(
        `${name} imports the geometry and below`,
        `^packages/${name}/`,
        `^packages/(${name}|geometry|document|contract)/`,
      ),
    ),
    allows(
      'model imports the drawing and below',
      '^packages/model/',
      '^packages/(model|drawing|geometry|document|contract|inflate)/',
    ),
    allows(
      'client imports the contract and the document only',
      '^packages/client/',
      '^packages/(client|contract|document)/',
    ),
    ...['tables', 'mcp'].map((name) =>
      allows(
        `${name} imports the client and the contract only`,
        `^packages/${name}/`,
        `^packages/(${name}|client|contract)/`,
      ),
    ),
    allows(
      'gltf imports what decodes and draws geometry',
      '^packages/gltf/',
      '^packages/(gltf|model|drawing|solver|geometry|document|contract|inflate)/',
    ),
    allows(
      'the command imports what runs at its user',
      '^apps/cli/',
      '^apps/cli/',
      '^packages/(check|client|command|contract|diff|document|grasshopper|tables|gltf|mcp)/',
    ),
    allows(
      'check imports what reads and solves definitions',
      '^packages/check/',
      '^packages/(check|grasshopper|model|solver|geometry|document|processes)/',
    ),
    allows(
      'web imports the client and below',
      '^apps/web/(?!src/document/preview/worker/)',
      '^apps/web/',
      '^packages/(client|contract|diff|document|passwords|tables)/',
    ),
    allows(
      'only the worker of previews imports the solver',
      '^apps/web/src/document/preview/worker/',
      '^apps/web/src/document/preview/',
      '^packages/(drawing|model|solver|geometry|document|contract)/',
    ),
    allows(
      'a feature imports no other feature',
      `${server}features/([^/]+)/`,
      `${server}(features/$1|${serverLayers.join('|')})/`,
      '^packages/',
    ),
    ...layers('apps/server/src', ...serverLayers),
    ...layers('packages/solver/src', 'tree', 'expressions', 'conversions', 'kinds', 'matching', 'solve'),
    ...layers(
      'packages/geometry/src',
      'budget',
      'values',
      'curves',
      ['curve-editing', 'curve-intersection'],
      'surfaces',
      'breps',
      ['meshes', 'transform'],
      ['regions', 'sections', 'solids', 'sweeps'],
      'kernels',
      'meshing',
    ),
    ...layers('packages/drawing/src', 'drawing', ['scene', 'thumbnails']),
    ...layers('packages/solver/src/kinds', 'declaration', 'maths', 'sets', [
      'colours',
      'curves',
      'display',
      'meshes',
      'parameters',
      'surfaces',
      'text',
      'transforms',
      'trees',
      'vectors',
    ]),
    {
      name: 'contract, document, diff, geometry, solver, drawing but for its pictures, and inflate are pure',
      severity: 'error',
      from: {
        path: '^packages/(contract|document|diff|geometry|solver|drawing|inflate)/',
        pathNot: `${tests}|^packages/drawing/src/thumbnails/`,
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'every import is found', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsPreCompilationDeps: true,
    // The system's Node, which may be older than the one that runs the code, does not know it.
    builtInModules: { add: ['node:sqlite'] },
    exclude: 'node_modules|/dist/',
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node'] },
  },
}
