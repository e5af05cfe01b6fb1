import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/**
 * Builds what an HTML file with a visual diff holds beside its documents: `diff-file.js` and `diff-file.css`, which load
 * nothing else. `src/diff-file.tsx` says what the file looks like.
 */
// biome-ignore lint/style/noDefaultExport: Vite reads the default export.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  publicDir: false,
  // A library is built without it.
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    outDir: 'dist/diff-file',
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    cssCodeSplit: false,
    reportCompressedSize: false,
    lib: {
      entry: 'src/diff-file.tsx',
      formats: ['iife'],
      name: 'diff',
      fileName: () => 'diff-file.js',
      cssFileName: 'diff-file',
    },
  },
})
