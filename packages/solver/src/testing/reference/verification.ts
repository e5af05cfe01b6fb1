import { globSync, readFileSync } from 'node:fs'
import { listKinds } from '../../kinds/index.ts'
import { readCaseFiles, type SourceKind } from './case-file.ts'

/** How a kind is verified. */
export interface Verification {
  /** The number of its reference cases by source. */
  cases: ReadonlyMap<SourceKind, number>
  /** A unit test names one of its classes. */
  hasUnitTests: boolean
}

const SOURCE_FOLDER = new URL('../../', import.meta.url)

/** How each class is verified, also those without a case or test. Classes of one declaration share theirs. */
export function describeVerification(): ReadonlyMap<string, Verification> {
  const kinds = readCaseFiles().flatMap(({ file }) => file.kinds)
  const tested = listTestedClasses()
  const entries = listKinds().flatMap(({ guids }) => {
    const cases = kinds.filter(({ guid }) => guids.includes(guid)).flatMap((kind) => kind.cases)
    const verification: Verification = {
      cases: new Map(
        [...Map.groupBy(cases, ({ source }) => source.kind)].map(([source, { length }]) => [source, length]),
      ),
      hasUnitTests: guids.some((guid) => tested.has(guid)),
    }
    return guids.map((guid) => [guid, verification] as const)
  })
  return new Map(entries)
}

/** The classes that unit tests name. The runs on any and on hostile values name none: they list all kinds. */
function listTestedClasses(): ReadonlySet<string> {
  const files = globSync('{kinds,solve,matching,conversions}/**/*.test.ts', { cwd: SOURCE_FOLDER })
  const texts = files.map((file) => readFileSync(new URL(file, SOURCE_FOLDER), 'utf8'))
  return new Set(texts.flatMap((text) => text.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? []))
}
