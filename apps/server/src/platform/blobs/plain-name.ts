const MAX_LENGTH = 100

/** A file name in letters that mean themselves in any address and on any disk: `Türme 7.gh` gives `Turme-7.gh`. */
export function toPlainName(fileName: string): string {
  const [, stem = '', extension = ''] = /^(.*?)(\.\w+)?$/s.exec(fileName) ?? []
  const plain = stem
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_LENGTH)
  return `${plain || 'export'}${extension}`
}
