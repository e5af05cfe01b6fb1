import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import type { OutputStream } from './output.ts'
import { createProgress } from './progress.ts'

function createTerminal(columns = 60) {
  let text = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  return Object.assign(stream, { isTTY: true, columns, written: () => text })
}

const createFor = (stderr: OutputStream, isForPeople = true, env = { TERM: 'xterm' }) =>
  createProgress({ stderr, env, output: { isForPeople } })

test('given a terminal, when work advances, then one line shows how far it is, within the width', () => {
  const terminal = createTerminal()
  const progress = createFor(terminal)
  progress.expect(4000)
  progress.advance(`a/very\nlong/${'name'.repeat(40)}.gh`)
  const [, line] = terminal.written().split('\r')
  assert.match(stripVTControlCharacters(line!), /^░{24} 1 of 4,000 {2}a\/very\\u\{a\}long\//)
  assert.ok([...stripVTControlCharacters(line!)].length < 60)
})

test('given a message in between, when it is written, then the line is cleared before it', () => {
  const terminal = createTerminal()
  using progress = createFor(terminal)
  progress.advance('a.gh')
  progress.around(() => terminal.write('message\n'))
  assert.ok(terminal.written().endsWith('\r\u001b[Kmessage\n'))
})

test('given that nothing is to be drawn, when work advances, then nothing is written but the messages', () => {
  const terminal = createTerminal()
  {
    using progress = createFor(terminal, false)
    progress.expect(2)
    progress.advance('a.gh')
    progress.around(() => terminal.write('message\n'))
  }
  assert.equal(terminal.written(), 'message\n')
})

test('given a pipe or a terminal that cannot, then no progress is drawn', () => {
  const [terminal, pipe] = [createTerminal(), Object.assign(createTerminal(), { isTTY: false })]
  createFor(terminal, true, { TERM: 'dumb' }).advance('a.gh')
  createFor(pipe).show('a.gh')
  assert.deepEqual([terminal.written(), pipe.written()], ['', ''])
})
