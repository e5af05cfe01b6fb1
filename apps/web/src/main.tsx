import '@mantine/core/styles.css'
import './shell/page.css'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { findNonce } from './shell/find-nonce.ts'

// Under this name `get-nonce` finds it, with which what locks scrolling behind a dialog adds its styles.
Object.assign(globalThis, { __webpack_nonce__: findNonce() })

createRoot(document.getElementById('root')!).render(<App />)
