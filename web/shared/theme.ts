import { createTheme } from '@mantine/core'

const classNames = { label: 'field-label', input: 'field-input', error: 'field-error' }
const field = {
  defaultProps: {
    size: 'sm',
    withAsterisk: false,
    inputWrapperOrder: ['label', 'description', 'input', 'error'],
  },
  classNames,
}
/** Lists that open under a field. Tab goes to the next field, not into the list: it closes, and the focus is lost. */
const list = {
  ...field,
  defaultProps: {
    ...field.defaultProps,
    comboboxProps: { transitionProps: { duration: 0 } },
    scrollAreaProps: { viewportProps: { tabIndex: -1 } },
  },
}

/**
 * Mantine as we use it. Sizes and colours are CSS (mantine.css): this sets how parts behave. Parts are named, not
 * imported, so that an app contains only those that it uses.
 */
export const theme = createTheme({
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  focusClassName: 'focus',
  activeClassName: '',
  defaultRadius: 'sm',
  components: {
    TextInput: field,
    PasswordInput: field,
    Textarea: field,
    Select: { ...list, defaultProps: { ...list.defaultProps, allowDeselect: false } },
    Autocomplete: list,
    Checkbox: { defaultProps: { size: 'sm', color: 'var(--ink)' } },
    Menu: { defaultProps: { transitionProps: { duration: 0 }, position: 'bottom-start', offset: 4 } },
  },
})
