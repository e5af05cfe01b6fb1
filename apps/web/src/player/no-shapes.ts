/*
 * Stands for `typebox` in the player, which needs the paths of endpoints, not the shapes that they are declared with. See
 * vite.player.config.ts.
 */

const NO_SHAPE = {}

// biome-ignore lint/style/noDefaultExport: as the library.
export default new Proxy({}, { get: () => () => NO_SHAPE })
