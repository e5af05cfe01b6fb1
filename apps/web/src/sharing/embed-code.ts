/** The panes that an embedded document shows: the `show` parameter of its page. */
export const EMBED_PANES = ['both', 'graph', 'model'] as const
export type EmbedPanes = (typeof EMBED_PANES)[number]

/** The size of a frame in pixels. A width of 100 % fills the page around it. */
export interface EmbedSize {
  width: number | '100%'
  height: number
}

export const EMBED_SIZES = {
  small: { width: 480, height: 320 },
  medium: { width: 800, height: 500 },
  large: { width: 1200, height: 700 },
  full: { width: '100%', height: 600 },
} as const satisfies Record<string, EmbedSize>

export type EmbedSizeName = keyof typeof EMBED_SIZES

interface EmbedOptions {
  /** The base URL of the service, without a closing slash. */
  address: string
  documentId: string
  /** The panes to show; `player` stands for the page with chosen inputs. */
  panes: EmbedPanes | 'player'
}

/** The address of the page for frames. */
export const embedUrl = ({ address, documentId, panes }: EmbedOptions): string =>
  panes === 'player'
    ? `${address}/embed/${documentId}/play`
    : `${address}/embed/${documentId}${panes === 'both' ? '' : `?show=${panes}`}`

/** An `iframe` that shows the document on another page. `name` is its title, for assistive technology. */
export const writeEmbedCode = ({
  name,
  size: { width, height },
  ...options
}: EmbedOptions & { name: string; size: EmbedSize }): string =>
  `<iframe src="${escapeAttribute(embedUrl(options))}" title="${escapeAttribute(name)}" width="${width}" height="${height}" style="border: 0" loading="lazy" allowfullscreen></iframe>`

/** The panes that the address of an embedded document asks for; both for anything unknown. */
export const readEmbedPanes = (show: string | null): EmbedPanes =>
  EMBED_PANES.find((panes) => panes === show) ?? 'both'

const escapeAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
