import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Where `meadow-server` listens while the app is worked on (`npm run dev`); built, the server itself serves the files. */
// biome-ignore lint/style/noProcessEnv: the development server's own, no part of the app.
const SERVER = `http://127.0.0.1:${process.env.MEADOW_PORT ?? 4000}`

/** While the app is worked on, the player has its own HTML file, as the built server sends it. */
const servePlayer: Plugin = {
  name: 'player',
  configureServer({ middlewares }) {
    middlewares.use((request, _response, next) => {
      if (/^\/(play\/[^/]+|embed\/[^/]+\/play)(\?|$)/.test(request.url ?? '')) request.url = '/player.html'
      next()
    })
  },
}

/** Finds the outermost calls of `Type.…`, which declare shapes. */
function listShapes(ast: unknown): { start: number; end: number }[] {
  if (typeof ast !== 'object' || ast === null) return []
  const { start, end, callee } = ast as {
    start: number
    end: number
    callee?: { object?: { name?: string } }
  }
  return callee?.object?.name === 'Type' ? [{ start, end }] : Object.values(ast).flatMap(listShapes)
}

/** Leaves the shapes out that endpoints are declared with, since the pages need the paths alone: see no-shapes.ts. */
const dropShapes: Plugin = {
  name: 'drop shapes',
  apply: 'build',
  transform: {
    filter: { id: /packages\/contract\/src\/.*\.ts$/ },
    handler(code) {
      let kept = code
      for (const { start, end } of listShapes(this.parse(code)).toReversed())
        kept = `${kept.slice(0, start)}Type${kept.slice(end)}`
      return { code: kept, map: null }
    },
  },
}

// biome-ignore lint/style/noDefaultExport: Vite reads the default export.
export default defineConfig({
  plugins: [react(), servePlayer, dropShapes],
  // Relative: the server may be below a path, which it adds to the URLs of the page.
  base: './',
  resolve: { alias: { typebox: `${import.meta.dirname}/src/no-shapes.ts` } },
  build: {
    target: 'es2023',
    // `light-dark()` is not transpiled: the fallback for older browsers needs more than Mantine sets.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    chunkSizeWarningLimit: 1000,
    // Nothing inline: the Content-Security-Policy forbids it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // Queries and small parts of pages and of the contract that several pages share are one request, not one each.
        codeSplitting: {
          groups: [
            {
              name: 'shared',
              test: /@mantine|@tanstack|packages\/contract|src\/shell/,
              minShareCount: 2,
              maxModuleSize: 3000,
            },
            // One request has the library of the canvas with what it depends on, and the hook that leads panes to views.
            { name: 'canvas', test: /@xyflow|document\/live\/follow/ },
          ],
        },
      },
    },
  },
  // The mesh kernel imports it in Node only.
  worker: { format: 'es', rolldownOptions: { external: ['module'] } },
  server: {
    proxy: {
      '^/(app|api|docs|downloads|healthz|readyz|metrics|openapi\\.json)(/|$|\\?)': SERVER,
      '/live': { target: SERVER, ws: true },
    },
  },
})
