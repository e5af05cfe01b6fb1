import { Menu, Modal, mergeThemeOverrides, Select } from '@mantine/core'
import { baseTheme } from './theme.ts'

/** The theme of the app: with components that the player does not load. */
export const theme = mergeThemeOverrides(baseTheme, {
  components: {
    // A menu may contain only items; the focus starts at the first one.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    // A `header` element would be a second banner of the page, and not the heading of a dialog.
    ModalHeader: { defaultProps: { component: 'div' } },
    DrawerHeader: { defaultProps: { component: 'div' } },
    // Assistive technology expects the list box itself to scroll.
    Select: Select.extend({
      defaultProps: { withScrollArea: false },
      styles: { options: { maxHeight: 240, overflowY: 'auto' } },
    }),
    Modal: Modal.extend({ defaultProps: { centered: true, closeButtonProps: { 'aria-label': 'Close' } } }),
  },
})
