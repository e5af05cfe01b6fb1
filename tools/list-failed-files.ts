import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/** A reporter for `node --test`: the file of each failed test, one a line. A file that fails as a whole is listed too. */
export default async function* listFailedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events)
    if (type === 'test:fail' && data.file) yield `${relative('.', data.file)}\n`
}
