import { mergeConfig } from 'vite'
import app from './vite.config.ts'

/**
 * Builds the player (`src/player/main.tsx`), beside the app in `dist`. It is built by itself, because chunks that it shared
 * with the app would hold what only the app needs: its first visit has a budget of 400 KB.
 */
// biome-ignore lint/style/noDefaultExport: Vite reads the default export.
export default mergeConfig(app, {
  build: {
    emptyOutDir: false,
    // The app's build has copied them.
    copyPublicDir: false,
    rolldownOptions: { input: 'player.html' },
  },
})
