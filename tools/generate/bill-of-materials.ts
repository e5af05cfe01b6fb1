import { readFileSync, writeFileSync } from 'node:fs'
import { type LockedPackages, listShippedFolders } from './pages/shipped-packages.ts'

/*
 * Removes from a bill of materials of `npm sbom --sbom-format cyclonedx` what is for development only. npm itself would also
 * remove what the web app is made of (`--omit dev`), since that is not installed with the service.
 *
 *   node tools/generate/bill-of-materials.ts sbom.cdx.json
 */

interface Component {
  /** The name of the package, `@` and its version. */
  'bom-ref': string
}

interface Bill {
  components: Component[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}

const [file] = process.argv.slice(2)
if (!file) throw new Error('Name the file of the bill of materials.')
const bill = JSON.parse(readFileSync(file, 'utf8')) as Bill
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: LockedPackages }
const shipped = new Set(
  [...listShippedFolders(packages)].map((folder) => {
    const { name = folder.split('node_modules/').at(-1), version } = packages[folder]!
    return `${name}@${version}`
  }),
)
const components = bill.components.filter((component) => shipped.has(component['bom-ref']))
const removed = new Set(
  bill.components.filter((component) => !components.includes(component)).map((one) => one['bom-ref']),
)
const dependencies = bill.dependencies
  .filter(({ ref }) => !removed.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => !removed.has(other)) }))
writeFileSync(file, `${JSON.stringify({ ...bill, components, dependencies }, undefined, 2)}\n`)
