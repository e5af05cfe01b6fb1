import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/** A test outside of all suites, or a suite; of a file that fails as a whole, the file. */
export interface EndedTest {
  /** Relative to the current folder. */
  file: string
  failed: boolean
  milliseconds: number
}

/** A reporter for `node --test`: each `EndedTest` as a line of JSON, failed tests inside of suites too. */
export default async function* listTestFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const failed = type === 'test:fail'
    if (!data.file || (data.nesting > 0 && !failed)) continue
    const milliseconds = data.nesting === 0 ? data.details.duration_ms : 0
    yield `${JSON.stringify({ file: relative('.', data.file), failed, milliseconds } satisfies EndedTest)}\n`
  }
}
