import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findVite } from './find-vite.ts'
import { isStale } from './is-stale.ts'

/*
 * Builds the page of `meadow diff --html` into apps/cli/assets, unless it is newer than all its sources: one file with the
 * renderer of the web app, into which the command writes the documents. `npm ci` and `npm test` run it. Where Vite is not
 * installed, nothing happens.
 */

const root = fileURLToPath(new URL('..', import.meta.url))
const TARGET = 'apps/cli/assets/html-report.html'

const MADE_OF = [
  'apps/web/{src/**/*,vite.diff-file.config.ts}',
  'packages/{client,contract,diff,document}/src/**/*',
  'tools/build-html-report.ts',
  'package-lock.json',
]

/** The page loads nothing: all of it is in the file. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:"

const vite = findVite()

if (isStale(root, TARGET, MADE_OF) && vite !== undefined) {
  process.stderr.write('Building the HTML report …\n')
  const files = bundle(vite)
  mkdirSync(join(root, 'apps/cli/assets'), { recursive: true })
  writeFileSync(join(root, TARGET), compose(files))
}

/** The script and the style of apps/web/src/diff-file.tsx, which says what the page has to have. */
function bundle(vite: string): { script: string; style: string } {
  const web = join(root, 'apps/web')
  using folder = mkdtempDisposableSync(join(tmpdir(), 'meadow-html-report-'))
  const options = [
    '--config',
    join(web, 'vite.diff-file.config.ts'),
    '--outDir',
    folder.path,
    '--emptyOutDir',
  ]
  execFileSync(process.execPath, [vite, 'build', web, ...options, '--logLevel', 'warn'], {
    cwd: root,
    stdio: 'inherit',
  })
  const read = (name: string) => readFileSync(join(folder.path, name), 'utf8')
  return { script: read('diff-file.js'), style: read('diff-file.css') }
}

/** Composes the page, into which the command writes `{{title}}` and `{{diff}}`. */
function compose({ script, style }: { script: string; style: string }): string {
  // Text that would end the element is written in another way that means the same.
  const safeScript = script.replaceAll('</script', '<\\/script').replaceAll('<!--', '\\x3c!--')
  const safeStyle = style.replaceAll('</style', '<\\/style')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta http-equiv="Content-Security-Policy" content="${POLICY}" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<title>{{title}}</title>
<style>${safeStyle}</style>
</head>
<body>
<div id="root"></div>
<noscript>This page needs JavaScript. It loads nothing.</noscript>
<script type="application/json" id="diff">{{diff}}</script>
<script>${safeScript}</script>
</body>
</html>
`
}
