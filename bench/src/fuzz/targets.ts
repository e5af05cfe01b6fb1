import { isIP } from 'node:net'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { LIVE_LIMITS } from '@meadow/document/live'
import fc from 'fast-check'
import rhino3dm from 'rhino3dm'
import * as Y from 'yjs'
import { readBearer } from '../../../apps/server/src/access/tokens.ts'
import { prefersLines, readWait } from '../../../apps/server/src/features/solutions/solutions.routes.ts'
import { createTargets, isPublic, TargetError } from '../../../apps/server/src/features/webhooks/target.ts'
import { readParts } from '../../../apps/server/src/http/api/requested-parts.ts'
import { matchesTag, negotiateEncoding } from '../../../apps/server/src/http/responses/response-body.ts'
import { openUpdateCheck } from '../../../packages/document/src/live/check/update-check.ts'
import { createLiveDocument } from '../../../packages/document/src/live/edit/create-live-document.ts'
import { operate } from '../../../packages/document/src/live/testing/random-operation.ts'
import { readWhole, reload } from '../../../packages/document/src/live/testing/read-whole.ts'
import { createTestContent } from '../../../packages/document/src/live/testing/test-content.ts'
import { readInflatedArchive } from '../../../packages/grasshopper/src/archive/forms/read-binary.ts'
import { writeInflatedArchive } from '../../../packages/grasshopper/src/archive/forms/write-binary.ts'
import { readArchive } from '../../../packages/grasshopper/src/archive/read-archive.ts'
import { ARBITRARY_ARCHIVE } from '../../../packages/grasshopper/src/archive/testing/arbitrary-archive.ts'
import { listSamples } from '../../../packages/grasshopper/src/archive/testing/samples.ts'
import { GrasshopperError } from '../../../packages/grasshopper/src/archive/tree/grasshopper-error.ts'
import { writeArchive } from '../../../packages/grasshopper/src/archive/write-archive.ts'
import { readDefinition } from '../../../packages/grasshopper/src/definition/read-definition.ts'
import { toText } from '../../../packages/grasshopper/src/text/index.ts'
import { decodeGeometry, isSound } from '../../../packages/model/src/geometry/decode-geometry.ts'
import { encodeGeometry } from '../../../packages/model/src/geometry/encode-geometry.ts'
import { ModelFault } from '../../../packages/model/src/opennurbs/model-fault.ts'
import { readModelSummary } from '../../../packages/model/src/summary/read-model-summary.ts'
import { BENT, box, net, plateWithHole, SADDLE } from '../../../packages/model/src/testing/geometries.ts'
import { walkModel } from '../../../packages/model/src/walker/walk-model.ts'
import { compile } from '../../../packages/solver/src/expressions/compile.ts'
import { ExpressionError } from '../../../packages/solver/src/expressions/expression-error.ts'
import type { Target } from './engine.ts'

/** Small, so that thousands of inputs are read in a second. */
const LIMITS = { maxBytes: 1_000_000, maxElements: 20_000 }
const LARGEST_SEED = 30_000

const bytesOf = (...texts: string[]) => texts.map((text) => Buffer.from(text))
const textOf = (input: Uint8Array) => Buffer.from(input).toString('latin1')
const isA =
  (...classes: (new (...args: never[]) => Error)[]) =>
  (error: unknown) =>
    classes.some((each) => error instanceof each)

/** Throws what no target takes for a rejection. */
function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`This does not hold: ${what}.`)
}

/** A reader that returns why it rejects an input. */
class Rejected extends Error {}

const archives = fc.sample(ARBITRARY_ARCHIVE, { seed: 1, numRuns: 20 })
const sampled = listSamples('gh', 'ghuser', 'ghcluster').map(({ bytes }) => inflateRawSync(bytes))
const inflated = [...archives.map(writeInflatedArchive), ...sampled].filter(
  ({ length }) => length <= LARGEST_SEED,
)
const xml = [
  ...archives.map((archive) => writeArchive(archive, { form: 'ghx' })),
  ...listSamples('ghx').map(({ bytes }) => bytes),
].filter(({ length }) => length <= LARGEST_SEED)
const XML_WORDS = bytesOf(
  '<item ',
  '</items>',
  '<chunks count="1">',
  '<![CDATA[',
  ']]>',
  '<!--',
  '&#0;',
  'type_code="',
  'index="',
  '"',
)

const archive: Target = {
  name: 'gh',
  seeds: inflated,
  words: bytesOf('GH_', 'Archive', 'Definition', 'DefinitionObjects', 'Container', 'PersistentData'),
  maxLength: 2 * LARGEST_SEED,
  run(input) {
    const archive = readInflatedArchive(input, LIMITS)
    must(
      readInflatedArchive(writeInflatedArchive(archive), LIMITS) !== undefined,
      'what was read can be written and read',
    )
  },
  isRejection: isA(GrasshopperError),
}

const xmlArchive: Target = {
  name: 'ghx',
  seeds: xml,
  words: XML_WORDS,
  maxLength: 2 * LARGEST_SEED,
  run: (input) => void readArchive(writeArchive(readArchive(input, LIMITS), { form: 'ghx' }), LIMITS),
  isRejection: isA(GrasshopperError),
}

const definition: Target = {
  name: 'definition',
  seeds: inflated,
  words: archive.words,
  maxLength: 2 * LARGEST_SEED,
  run: (input) => void readDefinition(deflateRawSync(input, { level: 0 }), LIMITS),
  isRejection: isA(GrasshopperError),
}

const text: Target = {
  name: 'text',
  seeds: xml,
  words: XML_WORDS,
  maxLength: 2 * LARGEST_SEED,
  run: (input) => must(toText(input, LIMITS).startsWith('meadow-text 1'), 'a text says what it is'),
  isRejection: isA(GrasshopperError),
}

const rhino = await rhino3dm()

function createModel(): Uint8Array {
  const file = new rhino.File3dm()
  const layer = new rhino.Layer()
  layer.name = 'Grid'
  file.layers().add(layer)
  file.objects().addPoint([1, 2, 3])
  file.objects().addLine([0, 0, 0], [1, 2, 3])
  file.objects().addSphere(new rhino.Sphere([0, 0, 0], 2), new rhino.ObjectAttributes())
  return file.toByteArray() as Uint8Array
}

const model: Target = {
  name: '3dm',
  seeds: [createModel()],
  words: bytesOf('3D Geometry File Format ', '       8', '      70'),
  maxLength: 2 * LARGEST_SEED,
  run(input) {
    readModelSummary(input)
    for (const _ of walkModel(input));
  },
  isRejection: isA(ModelFault),
}

const objects = [BENT, box(1, 2, 3), plateWithHole(), SADDLE, net(3)].map(
  (geometry) => encodeGeometry(geometry)!,
)

const geometry: Target = {
  name: 'geometry',
  seeds: objects.map(({ data }) => Buffer.from(data, 'base64')),
  words: [],
  maxLength: LARGEST_SEED,
  run(input) {
    const encoded = { ...objects[0]!, data: Buffer.from(input).toString('base64') }
    const decoded = decodeGeometry(encoded)
    if (decoded === undefined) throw new Rejected()
    must(isSound(encoded), 'what is decoded is sound')
  },
  isRejection: (error) => error instanceof Rejected,
}

/** A document, and updates of an editor to it. */
function createUpdates() {
  const server = createLiveDocument(createTestContent())
  const editor = reload(server)
  editor.clientID = 1000
  const updates: Uint8Array[] = []
  let state = 1
  const choose = (limit: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % limit
  }
  for (let number = 0; number < 60; number++) {
    const before = Y.encodeStateVector(server)
    try {
      operate(editor, choose, 'editor', `x${number}`)
    } catch {
      // An operation that is not possible here is no update.
    }
    updates.push(Y.encodeStateAsUpdate(editor, before))
  }
  return { server, updates }
}

const { server, updates } = createUpdates()
const check = openUpdateCheck(server, { owners: new Map([[1000, 'editor']]), limits: LIVE_LIMITS })

const update: Target = {
  name: 'update',
  seeds: updates,
  words: [],
  maxLength: LARGEST_SEED,
  run(input) {
    const { rejected } = check.check(input, 'editor')
    if (rejected) throw new Rejected(rejected.code)
    const copy = reload(server)
    Y.applyUpdate(copy, input)
    must(readWhole(copy) !== undefined, 'a document is readable after an update that was accepted')
  },
  isRejection: (error) => error instanceof Rejected,
}

const expression: Target = {
  name: 'expression',
  seeds: bytesOf(
    'x + y * 2',
    'if(x > 1, "a" & y, {1,2,3})',
    'sin(pi) ^ 2 - abs(-x)',
    'format("{0:0.00}", x)',
    'x.X + distance(y, {0,0,0})',
    'not (x = y) and true',
  ),
  words: bytesOf(
    '(',
    ')',
    '{',
    '}',
    '"',
    ',',
    'if(',
    'sqrt(',
    'round(',
    'min(',
    'max(',
    '1e308',
    'deg',
    'e',
    'phi',
    '<>',
    '≤',
    ':=',
    '"{0:R}"',
  ),
  maxLength: 400,
  run(input) {
    const evaluate = compile(textOf(input), ['x', 'y'])
    for (const operands of [
      [2, 'a'],
      [true, 0.5],
    ] as const)
      evaluate(operands)
  },
  isRejection: isA(ExpressionError),
}

const headers: Target = {
  name: 'headers',
  seeds: bytesOf(
    'nodes=a,b&fields=name%2Cnodes',
    'gzip;q=0.5, br, *;q=0',
    '"abc-br", W/"x"',
    'wait=10; x=1, respond-async',
    'application/x-ndjson;q=1, application/json;q=0.5',
    'Bearer mdw_0123456789abcdefghjkmnpqrstvwxyz',
  ),
  words: bytesOf(
    'nodes=name:',
    '&fields=',
    '%',
    'q=',
    ';',
    ',',
    '"',
    'W/',
    'wait=',
    'identity',
    'zstd',
    'Bearer ',
    '*',
  ),
  maxLength: 500,
  run(input) {
    const text = textOf(input)
    const parts = readParts(new URLSearchParams(text))
    for (const list of [parts?.nodes, parts?.fields])
      must(!list?.includes(''), 'nothing without a name is asked for')
    must(
      [undefined, 'zstd', 'br', 'gzip'].includes(negotiateEncoding(text)),
      'the encoding is one that is sent',
    )
    matchesTag(text, '"abc"')
    prefersLines(text)
    const seconds = readWait(text)
    must(
      Number.isInteger(seconds) && seconds >= 0 && seconds <= 30,
      'a request is held back for 0 to 30 seconds',
    )
    must(readBearer(text)?.includes(' ') !== true, 'a token has no space')
  },
  isRejection: () => false,
}

const webhooks = createTargets({ networks: [], hosts: [] }, 'MEADOW_WEBHOOKS_ALLOW')

const target: Target = {
  name: 'webhook target',
  seeds: bytesOf(
    'https://example.org/hook?x=1',
    'https://[2001:db8::1]/',
    'https://0x7f.1/',
    'https://user@example.org',
    'https://１２７.0.0.1/',
    'https://a.local./',
  ),
  words: bytesOf(
    'https://',
    '127.0.0.1',
    '[::1]',
    '[::ffff:7f00:1]',
    '2130706433',
    '0177.1',
    '@',
    '%2e',
    '。',
    'localhost',
    '.internal',
    '#',
    '?',
    '\\',
    '\t',
  ),
  maxLength: 300,
  run(input) {
    const { protocol, hostname, username, password } = webhooks.read(Buffer.from(input).toString())
    must(
      protocol === 'https:' && username === '' && password === '',
      'an address begins with https and has no user',
    )
    const bare = hostname.replace(/^\[(.+)\]$/, '$1')
    must(isIP(bare) === 0 || isPublic(bare), 'a literal address is public')
    must(!/(^|\.)localhost\.?$/.test(hostname), 'a name is not that of this machine')
  },
  isRejection: isA(TargetError),
}

export const TARGETS: readonly Target[] = [
  archive,
  xmlArchive,
  definition,
  text,
  model,
  geometry,
  update,
  expression,
  headers,
  target,
]
