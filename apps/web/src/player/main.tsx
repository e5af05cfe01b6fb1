import './styles.ts'
import '../shell/page.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from '../api/queries.ts'
import { findNonce } from '../shell/find-nonce.ts'
import { baseTheme, cssVariables } from '../theme.ts'
import { PlayerPage } from './player-page.tsx'

/*
 * The player, a page of its own beside the app: it loads neither the editor nor the other pages. Links to them are plain
 * links.
 */

// The scroll lock behind dialogs adds its styles under the CSP, as in the app.
Object.assign(globalThis, { __webpack_nonce__: findNonce() })

/** `/play/:documentId` or `/embed/:documentId/play`. */
const documentId = /\/(?:play|embed)\/([^/]+)/.exec(location.pathname)?.[1] ?? ''

createRoot(document.getElementById('root')!).render(
  <MantineProvider
    theme={baseTheme}
    cssVariablesResolver={cssVariables}
    defaultColorScheme="auto"
    getStyleNonce={findNonce}
  >
    <QueryClientProvider client={createQueryClient()}>
      <PlayerPage documentId={decodeURIComponent(documentId)} />
    </QueryClientProvider>
  </MantineProvider>,
)
