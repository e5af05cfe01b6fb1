/*
 * Takes the pictures that the tests compare with: `npm run pictures`. Only pictures that differ are written; look at
 * them before you commit them.
 */

// biome-ignore lint/style/noProcessEnv: read by compare-picture.ts.
process.env.MEADOW_PICTURES = 'update'
await import('../every-page.slow.test.ts')
await import('../solved-document.slow.test.ts')
