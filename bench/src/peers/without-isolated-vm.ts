import { registerHooks } from 'node:module'

// Directus imports isolated-vm, which needs a compiler at its installation, for the sandbox of extensions and for scripts
// of flows. There are none here, so it starts with any other module in its place.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'isolated-vm' ? { url: 'node:path', shortCircuit: true } : next(specifier, context),
})
