import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readArchive } from '../read-archive.ts'
import { assertRejected } from '../testing/assert-rejected.ts'
import { MAX_DEPTH, MAX_MISCOUNTS } from '../tree/limits.ts'

const read = (xml: string, limits = {}) => readArchive(new TextEncoder().encode(xml), limits)
const itemXml = (type: string, code: number, content: string) =>
  `<Archive name="Root"><items count="1"><item name="It" index="7" type_name="gh_${type}" type_code="${code}">${content}</item></items></Archive>`
const readItem = (type: string, code: number, content: string) =>
  read(itemXml(type, code, content)).root.items[0]?.value

test('[GHA-10] given an archive as Grasshopper formats it, when read, then the tree is as specified', () => {
  const { root } = read(`\ufeff<?xml version="1.0" encoding="utf-8" standalone="yes"?>\r
<Archive name="Root">\r
  <!--copyrighted by Robert McNeel & Associates-->\r
  <items count="1">\r
    <item name="ArchiveVersion" type_name="gh_version" type_code="80">\r
      <Major>0</Major>\r
      <Minor>2</Minor>\r
      <Revision>2</Revision>\r
    </item>\r
  </items>\r
  <chunks count="1">\r
    <chunk name="Object" index="3" />\r
  </chunks>\r
</Archive>`)
  assert.deepEqual(root, {
    name: 'Root',
    index: -1,
    items: [
      { name: 'ArchiveVersion', index: -1, type: 'version', value: { major: 0, minor: 2, revision: 2 } },
    ],
    chunks: [{ name: 'Object', index: 3, items: [], chunks: [] }],
  })
})

test('[GHA-14] given comments, instructions and CDATA anywhere, when read, then only text counts', () => {
  assert.equal(readItem('string', 10, 'a<!-- & < --> b<?note x?><![CDATA[<c> ]]>'), 'a b<c> ')
  assert.equal(readItem('int32', 3, '1<!-- -->2'), 12)
  assert.deepEqual(readItem('drawing_point', 30, '<!-- -->\n<X>1<!-- --></X><!-- --><Y>2</Y>'), {
    x: 1,
    y: 2,
  })
})

test('[GHA-15] given white space, when read, then texts keep it and other values ignore it', () => {
  assert.equal(readItem('string', 10, ' \n\t'), ' \n\t')
  assert.equal(readItem('string', 10, 'a\r\nb\rc&#xD;\n'), 'a\nb\nc\r\n')
  assert.equal(readItem('string', 10, ''), '')
  assert.equal(readItem('bool', 1, '\n true '), true)
  assert.deepEqual(
    readItem('bytearray', 20, '<stream length="3">\nAQ\nID\n</stream>'),
    Uint8Array.of(1, 2, 3),
  )
})

test('[GHA-12] given numbers as the versions of Grasshopper write them, when read, then they are those numbers', () => {
  assert.equal(readItem('double', 6, '3.1415926535897931'), Math.PI)
  assert.equal(readItem('double', 6, '1.2E-05'), 1.2e-5)
  assert.equal(readItem('single', 5, '0.1'), Math.fround(0.1))
  assert.ok(Number.isNaN(readItem('double', 6, 'NaN')))
  assert.equal(readItem('double', 6, '-Infinity'), Number.NEGATIVE_INFINITY)
  assert.equal(readItem('drawing_color', 36, '<ARGB>255;1;2;3</ARGB>'), 0xff010203)
})

test('[GHA-13] given the largest numbers rounded up by few digits, when read, then they stay finite', () => {
  assert.equal(readItem('double', 6, '1.79769313486232E+308'), Number.MAX_VALUE)
  assert.equal(readItem('single', 5, '-3.402824E+38'), -(2 - 2 ** -23) * 2 ** 127)
})

const INVALID_VALUES: [type: string, code: number, content: string][] = [
  ['bool', 1, 'yes'],
  ['bool', 1, ''],
  ['byte', 2, '256'],
  ['int32', 3, '2147483648'],
  ['int32', 3, '1.5'],
  ['int32', 3, '0x10'],
  ['int64', 4, '9223372036854775808'],
  ['int64', 4, '9'.repeat(100_000)],
  ['single', 5, 'one'],
  ['double', 6, '1,5'],
  ['double', 6, ''],
  ['decimal', 7, '79228162514264337593543950336'],
  ['decimal', 7, '1E5'],
  ['guid', 9, '{6d145a15-e7c2-4a9c-9252-50cd23b8ff28}'],
  ['bytearray', 20, '<stream length="2">AQID</stream>'],
  ['bytearray', 20, '<stream length="3">AQI!</stream>'],
  ['bytearray', 20, '<bitmap length="3">AQID</bitmap>'],
  ['bytearray', 20, ''],
  ['doublearray', 21, '<stream length="3">AQID</stream>'],
  ['drawing_point', 30, '<X>1</X>'],
  ['drawing_point', 30, '<X>1</X><X>1</X><Y>2</Y>'],
  ['drawing_point', 30, '<X>1</X><Y>2</Y><Z>3</Z>'],
  ['drawing_point', 30, '<X><Y>1</Y></X><Y>2</Y>'],
  ['drawing_point', 30, '5<X>1</X><Y>2</Y>'],
  ['drawing_color', 36, '<ARGB>256;1;2;3</ARGB>'],
  ['drawing_color', 36, '<ARGB>1;2;3</ARGB>'],
  ['drawing_color', 36, '<ARGB>1;2;3;4;5</ARGB>'],
  ['string', 9, 'the code is of a guid'],
  ['strings', 10, 'no such name'],
  ['string', 11, 'no such code'],
]

for (const [type, code, content] of INVALID_VALUES) {
  test(`[GHA-11] given ${content.slice(0, 40) || 'nothing'} as a ${type} (${code}), when read, then it is rejected`, () => {
    assertRejected('malformed', /^Root\/It #7, line 1$/, () => read(itemXml(type, code, content)))
  })
}

test('[GHA-29] given lists that announce another number, when read, then they hold what is there, and are listed', () => {
  const xml = itemXml('bool', 1, 'true').replace('count="1"', 'count="0"')
  assert.deepEqual(read(xml), {
    root: read(itemXml('bool', 1, 'true')).root,
    miscounts: [{ where: 'Root, line 1', elements: 'items', announced: '0', found: 1 }],
  })
  const chunks = (count: string) =>
    read(`<Archive name="Root">\n<chunks count="${count}">\n<chunk name="A" />\n</chunks></Archive>`)
  for (const announced of ['99999999', '-1', '', 'two', '01'])
    assert.deepEqual(chunks(announced).miscounts, [
      { where: 'Root, line 4', elements: 'chunks', announced, found: 1 },
    ])
  assert.equal('miscounts' in chunks('1'), false)
  const many = '<chunk name="A"><items count="1" /></chunk>'.repeat(MAX_MISCOUNTS + 1)
  assert.equal(
    read(`<Archive name="Root"><chunks>${many}</chunks></Archive>`).miscounts?.length,
    MAX_MISCOUNTS,
  )
})

const INVALID_TEXTS: [what: string, xml: string, code: 'malformed' | 'not_an_archive' | 'truncated'][] = [
  [
    'two lists of items',
    '<Archive name="Root"><items count="0" /><items count="0" /></Archive>',
    'malformed',
  ],
  ['an item among chunks', '<Archive name="Root"><chunks><item name="a" /></chunks></Archive>', 'malformed'],
  ['a chunk without a list', '<Archive name="Root"><chunk name="a" /></Archive>', 'malformed'],
  ['text between elements', '<Archive name="Root">text</Archive>', 'malformed'],
  ['a chunk without a name', '<Archive name="Root"><chunks><chunk /></chunks></Archive>', 'malformed'],
  ['an index that is none', '<Archive name="Root" index="first" />', 'malformed'],
  ['an entity that is not XML’s', itemXml('string', 10, '&nbsp;'), 'malformed'],
  ['an entity that JavaScript objects have', itemXml('string', 10, '&constructor;'), 'malformed'],
  ['a character that XML lacks', itemXml('string', 10, '&#1;'), 'malformed'],
  ['tags that cross', '<Archive name="Root"><items></Archive></items>', 'malformed'],
  ['two archives', '<Archive name="Root" /><Archive name="Root" />', 'malformed'],
  ['another encoding', '<?xml version="1.0" encoding="utf-16"?><Archive name="Root" />', 'malformed'],
  ['a great many attributes', `<Archive name="Root"${attributes(1000)} />`, 'malformed'],
  ['another root name', '<Archive name="Wurzel" />', 'not_an_archive'],
  ['other XML', '<?xml version="1.0"?><svg />', 'not_an_archive'],
  ['nothing but a declaration', '<?xml version="1.0"?>', 'truncated'],
]

function attributes(count: number): string {
  return Array.from({ length: count }, (_, number) => ` a${number}=""`).join('')
}

for (const [what, xml, code] of INVALID_TEXTS) {
  test(`[GHA-16] given ${what}, when read, then it is rejected`, () => {
    assertRejected(code, /line \d+$/, () => read(xml))
  })
}

test('[GHA-17] given entities that multiply, when read, then the document type is rejected', () => {
  const bomb = `<?xml version="1.0"?>
<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
${itemXml('string', 10, '&b;&b;&b;')}`
  assertRejected('not_an_archive', /line 2$/, () => read(bomb))
})

test('[GHA-4] given a whole text, when it ends early anywhere, then it is rejected', () => {
  const xml = new TextEncoder().encode(itemXml('string', 10, 'ä&amp;<!-- x --><![CDATA[y]]>'))
  for (let length = 9; length < xml.length; length++) {
    assertRejected('truncated', /line 1$/, () => readArchive(xml.subarray(0, length)))
  }
})

test('[GHA-17] given bytes that are not UTF-8, when read, then they are rejected', () => {
  assertRejected('malformed', /line/, () => readArchive(Buffer.from(itemXml('string', 10, '\xe4'), 'latin1')))
})

test('[GHA-22] given chunks nested to the limit, when read, then they are, and one deeper is rejected', () => {
  const nest = (depth: number) =>
    `<Archive name="Root">${'<chunks><chunk name="a">'.repeat(depth - 1)}${'</chunk></chunks>'.repeat(depth - 1)}</Archive>`
  assert.equal(read(nest(MAX_DEPTH)).root.name, 'Root')
  assertRejected('too_large', /^Root\/a\/a/, () => read(nest(MAX_DEPTH + 1)))
  assertRejected('too_large', /^Root\/a\/a/, () =>
    read(`<Archive name="Root">${'<chunks><chunk name="a">'.repeat(50_000)}`),
  )
})

test('[GHA-20] given more bytes or elements than allowed, when read, then the text is rejected', () => {
  const xml = '<Archive name="Root"><chunks><chunk name="a" /><chunk name="b" /></chunks></Archive>'
  assert.equal(read(xml, { maxBytes: xml.length, maxElements: 2 }).root.chunks.length, 2)
  assertRejected('too_large', /line 1/, () => read(xml, { maxBytes: xml.length - 1 }))
  assertRejected('too_large', /^Root, line 1/, () => read(xml, { maxElements: 1 }))
})

test('[GHA-26] given a name with characters that affect a terminal, when an error names it, then they are replaced', () => {
  const xml = '<Archive name="Root"><chunks><chunk name="a&#xA;\u202eb"><text/></chunk></chunks></Archive>'
  assertRejected('malformed', /^Root\/a\ufffd\ufffdb, line 1$/, () => read(xml))
})

test('[GHA-26] given an error on the fourth line, when read, then the message names the line', () => {
  assertRejected('malformed', /^Root\/a, line 4$/, () =>
    read('<Archive name="Root">\n<chunks>\r\n<chunk name="a">\n<oops />'),
  )
})
