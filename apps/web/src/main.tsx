import './styles.ts'
import './shell/page.css'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { findNonce } from './shell/find-nonce.ts'

// `get-nonce` reads this name: the scroll lock behind dialogs uses it to add its styles under the CSP.
Object.assign(globalThis, { __webpack_nonce__: findNonce() })

createRoot(document.getElementById('root')!).render(<App />)
