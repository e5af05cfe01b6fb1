/*
 * Stands for `typebox` in the built pages, which need the paths of endpoints, not the shapes that these are declared with:
 * the server checks them. See vite.config.ts.
 */

/** Stands for any shape. Each of its members is the same object, and as a list it is empty. */
const NO_SHAPE: object = new Proxy(
  {},
  { get: (_, name) => (name === Symbol.iterator ? Array.prototype.values.bind([]) : NO_SHAPE) },
)

// biome-ignore lint/style/noDefaultExport: as the library.
export default new Proxy({}, { get: () => () => NO_SHAPE })
