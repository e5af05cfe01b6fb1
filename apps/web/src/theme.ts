import { Alert, type CSSVariablesResolver, createTheme, Loader, type MantineColorsTuple } from '@mantine/core'

const MEADOW: MantineColorsTuple = [
  '#edfbf0',
  '#d9f3df',
  '#b0e5bc',
  '#84d796',
  '#5fcb76',
  '#48c462',
  '#3bb856',
  '#2a9f46',
  '#217f39',
  '#15682b',
]

/** The theme of all pages. It is calm and dense: strong colours are left to the users' content. */
export const baseTheme = createTheme({
  primaryColor: 'meadow',
  primaryShade: 8,
  colors: { meadow: MEADOW },
  autoContrast: true,
  defaultRadius: 'sm',
  fontFamily: 'system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", "SF Mono", Menlo, Consolas, monospace',
  headings: { fontWeight: '600' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    // In the alert's own colour, the contrast of the title on its light shade is too low.
    Alert: Alert.extend({ styles: { title: { color: 'var(--mantine-color-text)' } } }),
    // A loader needs a role for its label.
    Loader: Loader.extend({ defaultProps: { role: 'status' } }),
  },
})

/** Colours of secondary and error text with a contrast of at least 4.5 to 1 on all our backgrounds (WCAG 2.2, 1.4.3). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5a625d',
    '--mantine-color-placeholder': '#6b736e',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-orange-light-color': '#a84300',
  },
  dark: {
    '--mantine-color-dimmed': '#a9b2ac',
    '--mantine-color-placeholder': '#98a19b',
    '--mantine-color-error': '#ff8787',
  },
})
