import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeText } from '../../solve/files-beside.ts'
import { listOnly, run } from '../../testing/run.ts'

const READ_FILE = '6587fcbf-e3cf-480a-b2f5-641794474194'

const FILES = new Map([
  ['points.csv', { text: '1,2\r\n3,4\n\n5,6\r\n' }],
  ['empty.txt', { text: '' }],
  ['twice.txt', { fault: 'is in the folder of the document twice.' }],
])

const read = (path: string, isWhole = false) =>
  run(READ_FILE, [path], {
    files: FILES,
    ...(isWhole && { state: { kind: 'options', options: { perLineParse: false } } }),
  })

test('[REF-9] Read File: given a path, when a file beside the document has its name, then its lines are the content, or the whole text', () => {
  for (const path of ['C:\\Users\\ann\\Points.CSV', '/home/ann/points.csv', 'points.csv'])
    assert.deepEqual(listOnly(read(path).outputs), [['1,2', '3,4', '', '5,6']])
  assert.deepEqual(listOnly(read('points.csv', true).outputs), [['1,2\r\n3,4\n\n5,6\r\n']])
  assert.deepEqual(read('empty.txt').messages, [])
})

test('[REF-9] Read File: given a path, when no such file is there or it was not read, then a limit says which file it is', () => {
  for (const [path, message] of [
    ['C:\\data\\Missing.txt', 'The file “Missing.txt” is not beside the document. Upload it to'],
    ['twice.txt', 'The file “twice.txt” is in the folder of the document twice.'],
  ] as const) {
    const { codes, messages } = read(path)
    assert.deepEqual(codes, ['limit'])
    assert.ok(messages[0]!.includes(message), messages[0])
  }
})

test('decodeText: given bytes with and without a byte order mark, then the text is that of .NET', () => {
  for (const [bytes, text] of [
    [[0x41, 0xc3, 0xa4], 'Aä'],
    [[0xef, 0xbb, 0xbf, 0x41], 'A'],
    [[0xff, 0xfe, 0x41, 0x00, 0xe4, 0x00], 'Aä'],
    [[0xfe, 0xff, 0x00, 0x41, 0x00, 0xe4], 'Aä'],
    [[0x41, 0xe4], 'A\ufffd'],
  ] as const)
    assert.equal(decodeText(Uint8Array.from(bytes)), text)
})
