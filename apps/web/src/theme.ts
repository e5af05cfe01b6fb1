import {
  Alert,
  type CSSVariablesResolver,
  createTheme,
  Loader,
  type MantineColorsTuple,
  Menu,
  Modal,
  Select,
} from '@mantine/core'

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

/** Calm and dense: the colours are for what people made, not for what surrounds it. */
export const theme = createTheme({
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
    // In its own colour a title is too faint to be read on the colour's light shade.
    Alert: Alert.extend({ styles: { title: { color: 'var(--mantine-color-text)' } } }),
    // Only with a role may it have a label.
    Loader: Loader.extend({ defaultProps: { role: 'status' } }),
    // Its children are to be its items alone, the first of which is where the keyboard begins.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    // A heading of the dialog, not a second banner of the page.
    ModalHeader: { defaultProps: { component: 'div' } },
    // The list itself scrolls, as assistive technology expects of a list box.
    Select: Select.extend({
      defaultProps: { withScrollArea: false },
      styles: { options: { maxHeight: 240, overflowY: 'auto' } },
    }),
    Modal: Modal.extend({ defaultProps: { centered: true, closeButtonProps: { 'aria-label': 'Close' } } }),
  },
})

/** Secondary text, and what went wrong, that everybody can read: at least 4.5 to 1 on every background that we have (WCAG 2.2, 1.4.3). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5a625d',
    '--mantine-color-placeholder': '#6b736e',
    '--mantine-color-error': '#c92a2a',
  },
  dark: {
    '--mantine-color-dimmed': '#a9b2ac',
    '--mantine-color-placeholder': '#98a19b',
    '--mantine-color-error': '#ff8787',
  },
})
