/*
 * Stands for `typebox` in the built pages, which need the paths of endpoints, not the shapes that these are declared with:
 * the server checks them. The build puts it in place of each shape of the contract: see vite.config.ts.
 */

/** Stands for any shape, and for what makes one. Each of its members is the same, and as a list it is empty. */
const NO_SHAPE: object = new Proxy(() => NO_SHAPE, {
  get: (_, name) => (name === Symbol.iterator ? Array.prototype.values.bind([]) : NO_SHAPE),
})

// biome-ignore lint/style/noDefaultExport: as the library.
export default NO_SHAPE
